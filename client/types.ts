// The shapes of the wire. Generated from openapi.json by `npm run openapi`; not to be edited.

export interface EvaluationScenario {
  id: string
  evaluation_id: string
  inputs: {
    name: string
    type: string
    /** Any JSON value, exactly as it was written. */
    value: unknown
  }[]
  outputs: {
    result: {
      /** An open set; known: text, json, bool, number, error. */
      type: string
      /** Any JSON value, exactly as it was written. */
      value?: unknown
      error?: {
        message: string
        stacktrace?: string | null | undefined
      } | null | undefined
    }
    /** US dollars. */
    cost?: number | null | undefined
    /** Seconds. */
    latency?: number | null | undefined
  }[]
  correct_answers: {
    key: string
    value: string
  }[] | null
  is_pinned: boolean | null
  note: string | null
  results: {
    /** The name of the evaluator. */
    evaluator_config: string
    result: {
      /** An open set; known: text, json, bool, number, error. */
      type: string
      /** Any JSON value, exactly as it was written. */
      value?: unknown
      error?: {
        message: string
        stacktrace?: string | null | undefined
      } | null | undefined
    }
  }[]
  /** What the writer kept beside the contract; present only with include=extra. */
  extra?: Record<string, unknown> | null | undefined
}

export interface ScenarioWrite {
  /** 1 to 200 characters, unique in the evaluation; without it one is made. */
  id?: string | null | undefined
  /** The evaluation of the path, or left out. */
  evaluation_id?: string | undefined
  inputs?: {
    name: string
    type: string
    /** Any JSON value, exactly as it was written. */
    value: unknown
  }[] | undefined
  outputs?: {
    result: {
      /** An open set; known: text, json, bool, number, error. */
      type: string
      /** Any JSON value, exactly as it was written. */
      value?: unknown
      error?: {
        message: string
        stacktrace?: string | null | undefined
      } | null | undefined
    }
    /** US dollars. */
    cost?: number | null | undefined
    /** Seconds. */
    latency?: number | null | undefined
  }[] | undefined
  correct_answers?: {
    key: string
    value: string
  }[] | null | undefined
  is_pinned?: boolean | null | undefined
  note?: string | null | undefined
  results?: {
    /** The name of the evaluator. */
    evaluator_config: string
    result: {
      /** An open set; known: text, json, bool, number, error. */
      type: string
      /** Any JSON value, exactly as it was written. */
      value?: unknown
      error?: {
        message: string
        stacktrace?: string | null | undefined
      } | null | undefined
    }
  }[] | undefined
  /** What else is to be kept: results[i].reason says why an evaluator said so, repetition which run of the same inputs it is; everything else is free. */
  extra?: Record<string, unknown> | null | undefined
}

export interface ScenarioPatch {
  is_pinned?: boolean | null | undefined
  note?: string | null | undefined
}

export interface Rows {
  /** How many rows the filters leave. */
  total: number
  /** How many of them come before the first one here. */
  offset: number
  /** With locate: how many rows come before that scenario, whether or not it is one of them itself. That many rows on is the first one behind it, or the scenario. */
  before?: number | undefined
  /** With locate: the same number where that scenario is one of the rows; null where the filters leave it out. */
  located?: number | null | undefined
  base?: {
    id: string
    /** What the rows are paired by. */
    by: string
    /** How many rows are paired. */
    matched: number
    match_rate: number
  } | undefined
  rows: {
    /** Its place in the evaluation, counted from 0. */
    position: number
    id: string
    inputs: {
      name: string
      type: string
      /** Any JSON value, exactly as it was written. */
      value: unknown
    }[]
    outputs: {
      result: {
        /** An open set; known: text, json, bool, number, error. */
        type: string
        /** Any JSON value, exactly as it was written. */
        value?: unknown
        error?: {
          message: string
          stacktrace?: string | null | undefined
        } | null | undefined
      }
      /** US dollars. */
      cost?: number | null | undefined
      /** Seconds. */
      latency?: number | null | undefined
    }[]
    correct_answers: {
      key: string
      value: string
    }[] | null
    is_pinned: boolean | null
    note: string | null
    results: {
      /** The name of the evaluator. */
      evaluator_config: string
      result: {
        /** An open set; known: text, json, bool, number, error. */
        type: string
        /** Any JSON value, exactly as it was written. */
        value?: unknown
        error?: {
          message: string
          stacktrace?: string | null | undefined
        } | null | undefined
      }
    }[]
    /** JSON pointers (RFC 6901) to the texts of this row that are not whole. */
    cut: string[]
    base?: {
      /** The scenario of the base that this row is paired with. */
      id: string
      position: number
      /** One for each evaluator of this evaluation. */
      deltas: {
        evaluator: string
        /** The score in the base. */
        base: number | null
        /** The score less that of the base, where there are both. */
        delta: number | null
      }[]
    } | null | undefined
  }[]
}

export interface Comparison {
  /** The base first, as they were asked for. */
  evaluations: {
    id: string
    name: string | null
    variant_id: string | null
    revision: number | null
    /** Scenarios it has. */
    scenario_count: number
    /** The names of its inputs, which rows can be paired and filtered by. */
    inputs: string[]
  }[]
  join: {
    /** What rows are paired by: id, input, input.<name> or position. */
    by: string
    /** What was asked for. */
    asked: string
    /** The keys that were looked at, in order; the last one is taken. */
    tried: {
      by: string
      /** The lowest of the candidates. */
      match_rate: number
    }[]
  }
  candidates: {
    id: string
    /** Rows with a partner in the base. */
    matched: number
    /** The same as a part of the smaller evaluation; 1 where it is empty. */
    match_rate: number
    /** Rows of the base without a partner. */
    only_in_base: number
    /** Rows of the candidate without a partner. */
    only_in_candidate: number
    /** Pairs with different outputs. */
    outputs_changed: number
    /** Pairs with different expected answers. */
    answers_differ: number
    /** Those of the base in their order, then those that only candidates have. */
    evaluators: {
      name: string
      /** As the base declares it, else the candidate; without either true. */
      higher_is_better: boolean
      /** Pairs that have a number on both sides: what the figures are about. */
      n: number
      /** Of verdicts it is the pass rate. */
      base_mean: number | null
      /** The same of the candidate. */
      mean: number | null
      /** The mean of the differences, candidate less base. */
      delta: number | null
      /** delta less and plus 1.96 standard errors. Null for fewer than two independent pairs. */
      interval: [number, number] | null
      /** tied where the interval holds 0 or is not known; null where nothing can be compared. */
      outcome: 'better' | 'worse' | 'tied' | null
      /** Of verdicts: the exact McNemar test, two-sided. */
      p_value: number | null
      classes: {
        /** Pairs in which the candidate is worse. */
        regressed: number
        /** Pairs in which it is better. */
        improved: number
        /** Pairs with equal scores. */
        same: number
        /** Pairs with an error or no score on either side, or a verdict against a number. */
        incomparable: number
        /** Rows that only one of the two evaluations has. */
        missing: number
      }
    }[]
    cost: {
      /** Pairs that have a number on both sides: what the figures are about. */
      n: number
      /** Of verdicts it is the pass rate. */
      base_mean: number | null
      /** The same of the candidate. */
      mean: number | null
      /** The mean of the differences, candidate less base. */
      delta: number | null
      /** delta less and plus 1.96 standard errors. Null for fewer than two independent pairs. */
      interval: [number, number] | null
      /** tied where the interval holds 0 or is not known; null where nothing can be compared. */
      outcome: 'better' | 'worse' | 'tied' | null
    }
    latency: {
      /** Pairs that have a number on both sides: what the figures are about. */
      n: number
      /** Of verdicts it is the pass rate. */
      base_mean: number | null
      /** The same of the candidate. */
      mean: number | null
      /** The mean of the differences, candidate less base. */
      delta: number | null
      /** delta less and plus 1.96 standard errors. Null for fewer than two independent pairs. */
      interval: [number, number] | null
      /** tied where the interval holds 0 or is not known; null where nothing can be compared. */
      outcome: 'better' | 'worse' | 'tied' | null
    }
  }[]
  warnings: {
    code: 'answers-differ' | 'evaluator-missing' | 'evaluator-differs' | 'rows-missing' | 'rows-repeated' | 'types-differ' | 'joined-by-position' | 'unfinished'
    /** The id of the evaluation it is about. */
    evaluation: string | null
    /** The name of the evaluator it is about. */
    evaluator: string | null
    /** How many rows it is about. */
    rows: number | null
    /** The same as a sentence. */
    detail: string
  }[]
}

export interface ComparisonRows {
  join: {
    /** What rows are paired by: id, input, input.<name> or position. */
    by: string
    /** What was asked for. */
    asked: string
    /** The keys that were looked at, in order; the last one is taken. */
    tried: {
      by: string
      /** The lowest of the candidates. */
      match_rate: number
    }[]
  }
  show: 'all' | 'regressed' | 'improved' | 'same' | 'incomparable' | 'missing'
  /** The evaluator that classes and deltas are about. */
  on: string | null
  /** Rows in the class that is shown. */
  total: number
  /** How many of them come before the first one here. */
  offset: number
  /** With locate: how many rows come before that scenario, whether or not it is one of them itself. */
  before?: number | undefined
  /** With locate: the same number where it is one of the rows; null where it is not. */
  located?: number | null | undefined
  classes: {
    /** Pairs in which the candidate is worse. */
    regressed: number
    /** Pairs in which it is better. */
    improved: number
    /** Pairs with equal scores. */
    same: number
    /** Pairs with an error or no score on either side, or a verdict against a number. */
    incomparable: number
    /** Rows that only one of the two evaluations has. */
    missing: number
  }
  rows: {
    base: {
      /** Its place in the evaluation, counted from 0. */
      position: number
      id: string
      inputs: {
        name: string
        type: string
        /** Any JSON value, exactly as it was written. */
        value: unknown
      }[]
      outputs: {
        result: {
          /** An open set; known: text, json, bool, number, error. */
          type: string
          /** Any JSON value, exactly as it was written. */
          value?: unknown
          error?: {
            message: string
            stacktrace?: string | null | undefined
          } | null | undefined
        }
        /** US dollars. */
        cost?: number | null | undefined
        /** Seconds. */
        latency?: number | null | undefined
      }[]
      correct_answers: {
        key: string
        value: string
      }[] | null
      is_pinned: boolean | null
      note: string | null
      results: {
        /** The name of the evaluator. */
        evaluator_config: string
        result: {
          /** An open set; known: text, json, bool, number, error. */
          type: string
          /** Any JSON value, exactly as it was written. */
          value?: unknown
          error?: {
            message: string
            stacktrace?: string | null | undefined
          } | null | undefined
        }
      }[]
      /** JSON pointers (RFC 6901) to the texts of this row that are not whole. */
      cut: string[]
    } | null
    /** One for each candidate, in their order. */
    candidates: {
      row: {
        /** Its place in the evaluation, counted from 0. */
        position: number
        id: string
        inputs: {
          name: string
          type: string
          /** Any JSON value, exactly as it was written. */
          value: unknown
        }[]
        outputs: {
          result: {
            /** An open set; known: text, json, bool, number, error. */
            type: string
            /** Any JSON value, exactly as it was written. */
            value?: unknown
            error?: {
              message: string
              stacktrace?: string | null | undefined
            } | null | undefined
          }
          /** US dollars. */
          cost?: number | null | undefined
          /** Seconds. */
          latency?: number | null | undefined
        }[]
        correct_answers: {
          key: string
          value: string
        }[] | null
        is_pinned: boolean | null
        note: string | null
        results: {
          /** The name of the evaluator. */
          evaluator_config: string
          result: {
            /** An open set; known: text, json, bool, number, error. */
            type: string
            /** Any JSON value, exactly as it was written. */
            value?: unknown
            error?: {
              message: string
              stacktrace?: string | null | undefined
            } | null | undefined
          }
        }[]
        /** JSON pointers (RFC 6901) to the texts of this row that are not whole. */
        cut: string[]
      } | null
      class: 'regressed' | 'improved' | 'same' | 'incomparable' | 'missing'
      /** The score less that of the base, where they can be compared. */
      delta: number | null
      /** Null where there is no pair. */
      output_changed: boolean | null
    }[]
  }[]
}

export interface Appended {
  /** How many were added. */
  accepted: number
  /** How many were there already with the same content. */
  unchanged: number
}

export interface ImportReport {
  /** Its name. */
  file: string
  /** What it was read as. */
  format: string
  /** Whether what is listed is in the store now. */
  stored: boolean
  /** With the number of their scenarios. */
  evaluations: {
    id: string
    /** How many were added. */
    accepted: number
    /** How many were there already with the same content. */
    unchanged: number
  }[]
  /** With the number of their revisions. */
  variants: {
    id: string
    /** How many were added. */
    accepted: number
    /** How many were there already with the same content. */
    unchanged: number
  }[]
  /** How many records were refused. */
  refused: number
  /** Why; the first thousand. */
  refusals: {
    /** Which record; null where it is the whole file. */
    record: number | null
    /** The line of the file. */
    line: number
    /** RFC 6901, inside the record. */
    pointer: string
    detail: string
  }[]
  /** How often something was kept in another form. */
  repaired: number
  /** What; the first thousand. */
  repairs: {
    /** Which record; null where it is the whole file. */
    record: number | null
    /** The line of the file. */
    line: number
    /** RFC 6901, inside the record. */
    pointer: string
    detail: string
  }[]
  /** The first scenarios of a dry run; empty otherwise. */
  first: Record<string, unknown>[]
}

export interface VariantRevision {
  revision: number
  /** A display name. */
  modified_by: string
  config: {
    config_name: string
    /** Free form: prompt, model, settings, exactly as they were written. */
    parameters?: Record<string, unknown> | undefined
  }
  /** UTC, with milliseconds. */
  created_at: string
  /** What was changed and why, its first 2000 characters; present only with include=message. */
  message?: string | null | undefined
  /** Those that ran it, newest first; present only with include=evaluations. */
  evaluations?: {
    id: string
    name: string | null
    /** UTC, with milliseconds. */
    created_at: string
    scenario_count: number
    scores: {
      /** Scenarios where the application failed. */
      output_errors: number
      cost: {
        /** Scenarios with a cost. */
        n: number
        /** US dollars. */
        total: number | null
        /** US dollars a scenario. */
        mean: number | null
      }
      latency: {
        /** Scenarios with a latency. */
        n: number
        /** Seconds. */
        mean: number | null
        /** Seconds; half of the scenarios took less. */
        p50: number | null
      }
      /** In the order in which they first appear. */
      evaluators: {
        name: string
        higher_is_better: boolean
        /** Results with a number; a verdict counts as 1 or 0. */
        n: number
        /** Results where the evaluator failed. */
        errors: number
        /** Of the numbers; null without one. */
        mean: number | null
        /** The share that passed of all verdicts, true or false, and of all numbers where the evaluator has a threshold; null without one. */
        pass_rate: number | null
      }[]
    }
  }[] | undefined
  changes?: {
    /** The revision before it. */
    against: number
    config_name: {
      old: string
      new: string
    } | null
    /** How many there are in both together: scalars and empty containers, by path. */
    parameter_count: number
    change_count: number
    /** The first 100 of them, or fewer where paths are very long. */
    changes: {
      /** Where it is: names with dots, places in a list in brackets, other names in brackets and quotes. Of what was removed: where it was. */
      path: string
      /** Where it was, if that is another path. */
      old_path: string | null
      /** moved: an element of a list whose order among those on both sides changed. */
      kind: 'added' | 'removed' | 'changed' | 'moved'
      lines: {
        added: number
        removed: number
      } | null
    }[]
  } | null | undefined
}

export interface RevisionDiff {
  variant_id: string
  from: number
  to: number
  config_name: {
    old: string
    new: string
  } | null
  /** How many there are in both together: scalars and empty containers, by path. */
  parameter_count: number
  change_count: number
  /** The first 10000 of them, or fewer where paths are very long. */
  changes: {
    /** Where it is: names with dots, places in a list in brackets, other names in brackets and quotes. Of what was removed: where it was. */
    path: string
    /** Where it was, if that is another path. */
    old_path: string | null
    /** moved: an element of a list whose order among those on both sides changed. */
    kind: 'added' | 'removed' | 'changed' | 'moved'
    /** Exactly as it was written; absent where there was none. */
    old?: unknown
    /** Exactly as it was written; absent where there is none. */
    new?: unknown
    lines: {
      added: number
      removed: number
    } | null
  }[]
}

export interface RevisionWrite {
  /** In plain digits. Without it: the highest there is and one more, 1 for the first. */
  revision?: number | undefined
  /** A display name. */
  modified_by: string
  config: {
    config_name: string
    /** Free form: prompt, model, settings, exactly as they were written. */
    parameters?: Record<string, unknown> | undefined
  }
  /** A time of RFC 3339. Without it: now. */
  created_at?: string | undefined
  /** What was changed and why. */
  message?: string | null | undefined
}

export interface Evaluation {
  id: string
  name: string | null
  /** The variant that was evaluated. */
  variant_id: string | null
  /** The revision of it that ran. */
  revision: number | null
  /** The evaluation this one is compared against. */
  baseline_id: string | null
  /** The tool the results came from. */
  source: string | null
  /** UTC, with milliseconds. */
  created_at: string
  scenario_count: number
  evaluators: {
    /** The string in results[].evaluator_config. */
    name: string
    higher_is_better?: boolean | undefined
    threshold?: number | undefined
  }[] | null
  /** Whatever else is to be known of it. */
  metadata: Record<string, unknown> | null
  scores?: {
    /** Scenarios where the application failed. */
    output_errors: number
    cost: {
      /** Scenarios with a cost. */
      n: number
      /** US dollars. */
      total: number | null
      /** US dollars a scenario. */
      mean: number | null
    }
    latency: {
      /** Scenarios with a latency. */
      n: number
      /** Seconds. */
      mean: number | null
      /** Seconds; half of the scenarios took less. */
      p50: number | null
    }
    /** In the order in which they first appear. */
    evaluators: {
      name: string
      higher_is_better: boolean
      /** Results with a number; a verdict counts as 1 or 0. */
      n: number
      /** Results where the evaluator failed. */
      errors: number
      /** Of the numbers; null without one. */
      mean: number | null
      /** The share that passed of all verdicts, true or false, and of all numbers where the evaluator has a threshold; null without one. */
      pass_rate: number | null
    }[]
  } | undefined
}

export interface EvaluationWrite {
  /** 1 to 200 characters, unique in the project; without it one is made. */
  id?: string | null | undefined
  name?: string | null | undefined
  /** The variant that was evaluated; it must be there. */
  variant_id?: string | null | undefined
  /** The revision of it that ran; it must be there. */
  revision?: number | null | undefined
  /** The evaluation to compare against; it may come later. */
  baseline_id?: string | null | undefined
  evaluators?: {
    /** The string in results[].evaluator_config. */
    name: string
    higher_is_better?: boolean | undefined
    threshold?: number | undefined
  }[] | null | undefined
  /** Whatever else is to be known of it. */
  metadata?: Record<string, unknown> | null | undefined
  /** The tool the results came from. */
  source?: string | null | undefined
  /** A time of RFC 3339. Without it: now. */
  created_at?: string | null | undefined
}

export interface EvaluationPatch {
  name?: string | null | undefined
  /** The variant that was evaluated; it must be there. */
  variant_id?: string | null | undefined
  /** The revision of it that ran; it must be there. */
  revision?: number | null | undefined
  /** The evaluation to compare against; it may come later. */
  baseline_id?: string | null | undefined
  evaluators?: {
    /** The string in results[].evaluator_config. */
    name: string
    higher_is_better?: boolean | undefined
    threshold?: number | undefined
  }[] | null | undefined
  /** Whatever else is to be known of it. */
  metadata?: Record<string, unknown> | null | undefined
}

export interface EvaluationSummary {
  /** The id of the evaluation. */
  id: string
  /** All scenarios of the evaluation. */
  scenario_count: number
  /** Those that everything else here is about. */
  matched: number
  /** Scenarios where the application failed. */
  output_errors: number
  /** Scenarios that are pinned. */
  pinned: number
  /** Scenarios with a note. */
  noted: number
  columns: {
    inputs: string[]
    expected: string[]
    evaluators: string[]
  }
  evaluators: {
    /** The string in results[].evaluator_config. */
    name: string
    /** As the evaluation declares it, else true. */
    higher_is_better: boolean
    /** As the evaluation declares it. */
    threshold: number | null
    /** Scenarios with a score: a number, or true as 1 and false as 0. */
    n: number
    /** Scenarios with a text for a result, which is no score. */
    texts: number
    /** Scenarios where the evaluator failed. */
    errors: number
    /** Scenarios where the application failed, so that nothing was scored. */
    output_errors: number
    /** All other scenarios. */
    unscored: number
    /** Scores that are true, or numbers that reach the threshold. */
    passed: number | null
    /** Scores that are false, or numbers that do not reach the threshold. */
    failed: number | null
    /** Passed out of passed and failed. Null where there is no verdict. */
    pass_rate: number | null
    /** Null where there is no number. */
    mean: number | null
    /** The least of them. */
    minimum: number | null
    /** The greatest of them. */
    maximum: number | null
    quantiles: {
      /** 5 % lie below. */
      p05: number | null
      /** 25 % lie below. */
      p25: number | null
      /** The median. */
      p50: number | null
      /** 75 % lie below. */
      p75: number | null
      /** 95 % lie below. */
      p95: number | null
    }
    /** 20 of equal width from minimum to maximum; one where these are the same, none without a number. */
    bins: {
      /** The least number of the bin. */
      from: number
      /** Where the next bin begins; the last one has this number in it. */
      to: number
      /** How many lie in it. */
      count: number
    }[]
    base?: {
      /** Pairs with a number on both sides: what this is about. */
      n: number
      /** Of the base, over these pairs. */
      mean: number | null
      /** The mean of the differences, this evaluation less its base. */
      delta: number | null
      /** delta less and plus 1.96 standard errors. */
      interval: [number, number] | null
      /** tied where the interval holds 0 or is not known. */
      outcome: 'better' | 'worse' | 'tied' | null
      /** Pairs that are worse than in the base. */
      regressed: number
      /** Pairs that are better. */
      improved: number
    } | undefined
  }[]
  cost: {
    /** Scenarios that have one. */
    n: number
    /** Scenarios that have none. */
    missing: number
    /** All of them added up. */
    total: number | null
    /** Null where there is no number. */
    mean: number | null
    /** The least of them. */
    minimum: number | null
    /** The greatest of them. */
    maximum: number | null
    quantiles: {
      /** 5 % lie below. */
      p05: number | null
      /** 25 % lie below. */
      p25: number | null
      /** The median. */
      p50: number | null
      /** 75 % lie below. */
      p75: number | null
      /** 95 % lie below. */
      p95: number | null
    }
    /** 20 of equal width from minimum to maximum; one where these are the same, none without a number. */
    bins: {
      /** The least number of the bin. */
      from: number
      /** Where the next bin begins; the last one has this number in it. */
      to: number
      /** How many lie in it. */
      count: number
    }[]
    base?: {
      /** Pairs with a number on both sides: what this is about. */
      n: number
      /** Of the base, over these pairs. */
      mean: number | null
      /** The mean of the differences, this evaluation less its base. */
      delta: number | null
      /** delta less and plus 1.96 standard errors. */
      interval: [number, number] | null
      /** tied where the interval holds 0 or is not known. */
      outcome: 'better' | 'worse' | 'tied' | null
      /** Pairs that are worse than in the base. */
      regressed: number
      /** Pairs that are better. */
      improved: number
    } | undefined
  }
  latency: {
    /** Scenarios that have one. */
    n: number
    /** Scenarios that have none. */
    missing: number
    /** All of them added up. */
    total: number | null
    /** Null where there is no number. */
    mean: number | null
    /** The least of them. */
    minimum: number | null
    /** The greatest of them. */
    maximum: number | null
    quantiles: {
      /** 5 % lie below. */
      p05: number | null
      /** 25 % lie below. */
      p25: number | null
      /** The median. */
      p50: number | null
      /** 75 % lie below. */
      p75: number | null
      /** 95 % lie below. */
      p95: number | null
    }
    /** 20 of equal width from minimum to maximum; one where these are the same, none without a number. */
    bins: {
      /** The least number of the bin. */
      from: number
      /** Where the next bin begins; the last one has this number in it. */
      to: number
      /** How many lie in it. */
      count: number
    }[]
    base?: {
      /** Pairs with a number on both sides: what this is about. */
      n: number
      /** Of the base, over these pairs. */
      mean: number | null
      /** The mean of the differences, this evaluation less its base. */
      delta: number | null
      /** delta less and plus 1.96 standard errors. */
      interval: [number, number] | null
      /** tied where the interval holds 0 or is not known. */
      outcome: 'better' | 'worse' | 'tied' | null
      /** Pairs that are worse than in the base. */
      regressed: number
      /** Pairs that are better. */
      improved: number
    } | undefined
  }
  /** The most frequent first, at most 50. */
  error_groups: {
    /** The message, with numbers, names and keys taken out. */
    group: string
    /** The evaluator that failed; null: the application. */
    evaluator: string | null
    /** How many scenarios have it. */
    count: number
    /** The id of the first of them. */
    first: string
  }[]
  /** How many groups there are. */
  error_group_count: number
  base?: {
    /** The evaluation that this one is beside. */
    id: string
    name: string | null
    /** What it ran. */
    variant_id: string | null
    revision: number | null
    /** What rows are paired by: id, input or position. */
    by: string
    /** Rows with a partner. */
    matched: number
    /** The same as a part of the smaller evaluation. */
    match_rate: number
  } | undefined
}

export interface Variant {
  id: string
  name: string | null
  /** UTC, with milliseconds. */
  created_at: string
  revision_count: number
  /** The highest revision number; null without a revision. */
  latest_revision: number | null
}

export interface VariantWrite {
  /** 1 to 200 characters, unique in the project; without it one is made. */
  id?: string | null | undefined
  name?: string | null | undefined
}

export interface OwnKey {
  /** The project it belongs to, by name. */
  project: string
  /** What it was called when it was made. */
  name: string | null
  /** What it may do: read, write or both. */
  scopes: ('read' | 'write')[]
  /** What a key reads, in exactly one of these members: nothing else is open to it. */
  confined_to: {
    /** The one evaluation that it reads. */
    evaluation_id?: string | undefined
    /** The evaluations that it reads and compares, by their ids, the base first. */
    comparison?: string[] | undefined
    /** The one variant that it reads. */
    variant_id?: string | undefined
  } | null
  /** When it ends; null where it does not end by itself. */
  expires_at: string | null
  /** When it was made. */
  created_at: string
  /** Its last four characters. */
  last_four: string
  /** Its public part, by which commands and logs name it. */
  public_id: string
}

export interface Share {
  /** Its public part, by which it is revoked. */
  public_id: string
  /** Its last four characters. */
  last_four: string
  /** What it was called when it was made. */
  name: string | null
  /** What a key reads, in exactly one of these members: nothing else is open to it. */
  confined_to: {
    /** The one evaluation that it reads. */
    evaluation_id?: string | undefined
    /** The evaluations that it reads and compares, by their ids, the base first. */
    comparison?: string[] | undefined
    /** The one variant that it reads. */
    variant_id?: string | undefined
  }
  /** When it was made. */
  created_at: string
  /** When it ends. */
  expires_at: string
}

export interface NewShare {
  /** The key itself. This is the only answer that has it. */
  key: string
  /** Its public part, by which it is revoked. */
  public_id: string
  /** Its last four characters. */
  last_four: string
  /** What it was called when it was made. */
  name: string | null
  /** What a key reads, in exactly one of these members: nothing else is open to it. */
  confined_to: {
    /** The one evaluation that it reads. */
    evaluation_id?: string | undefined
    /** The evaluations that it reads and compares, by their ids, the base first. */
    comparison?: string[] | undefined
    /** The one variant that it reads. */
    variant_id?: string | undefined
  }
  /** When it was made. */
  created_at: string
  /** When it ends. */
  expires_at: string
}

export interface ShareWrite {
  /** What a key reads, in exactly one of these members: nothing else is open to it. */
  confined_to: {
    /** The one evaluation that it reads. */
    evaluation_id?: string | undefined
    /** The evaluations that it reads and compares, by their ids, the base first. */
    comparison?: string[] | undefined
    /** The one variant that it reads. */
    variant_id?: string | undefined
  }
  /** A name to know it by. */
  name?: string | null | undefined
  /** When it ends: a time of RFC 3339, not behind the end of the key that asks. Without it: in seven days, or with that key if it ends earlier. */
  expires_at?: string | null | undefined
}

export interface Problem {
  /** Where this error is described. */
  type: string
  title: string
  status: number
  /** The error, for programs. */
  code: string
  /** What was wrong and what to do, for people. */
  detail: string
  /** The id of the request, as in the log. */
  instance: string
  /** Of invalid-json: the line in the body. */
  line?: number | undefined
  /** Of invalid-json: how many bytes of the body come before. */
  offset?: number | undefined
  /** Of invalid-content: what does not fit, the first hundred. */
  errors?: {
    /** Leads to the place in the body (RFC 6901). */
    pointer: string
    /** The line on which the record begins. */
    line: number
    detail: string
  }[] | undefined
  /** Of invalid-content: how many errors there are in all. */
  error_count?: number | undefined
  report?: {
    /** Its name. */
    file: string
    /** What it was read as. */
    format: string
    /** Whether what is listed is in the store now. */
    stored: boolean
    /** With the number of their scenarios. */
    evaluations: {
      id: string
      /** How many were added. */
      accepted: number
      /** How many were there already with the same content. */
      unchanged: number
    }[]
    /** With the number of their revisions. */
    variants: {
      id: string
      /** How many were added. */
      accepted: number
      /** How many were there already with the same content. */
      unchanged: number
    }[]
    /** How many records were refused. */
    refused: number
    /** Why; the first thousand. */
    refusals: {
      /** Which record; null where it is the whole file. */
      record: number | null
      /** The line of the file. */
      line: number
      /** RFC 6901, inside the record. */
      pointer: string
      detail: string
    }[]
    /** How often something was kept in another form. */
    repaired: number
    /** What; the first thousand. */
    repairs: {
      /** Which record; null where it is the whole file. */
      record: number | null
      /** The line of the file. */
      line: number
      /** RFC 6901, inside the record. */
      pointer: string
      detail: string
    }[]
    /** The first scenarios of a dry run; empty otherwise. */
    first: Record<string, unknown>[]
  } | undefined
}

export interface ListEvaluationsQuery {
  /** Answer one page of at most this many elements, in plain digits. Without it: everything. */
  limit?: number | undefined
  /** Where the page begins: the cursor in the Link field of the page before. */
  cursor?: string | undefined
  /** Only those that fit: one of eq, ne, contains, a dot, and some text, or that alone to be equal. */
  name?: string | undefined
  /** Only those that fit: one of eq, ne, a dot, and an id, or that alone to be equal. */
  variant_id?: string | undefined
  /** Only those that fit: one of eq, ne, lt, lte, gt, gte, a dot, and a whole number from 0 to 2147483647 in plain digits, or that alone to be equal. */
  revision?: string | undefined
  /** Only those that fit: one of lt, lte, gt, gte, a dot, and a time of RFC 3339. */
  created_at?: string | undefined
  /** scores: counts and means of each evaluator, of cost and of latency, as a last member. */
  include?: 'scores' | undefined
}

export interface ListEvaluationScenariosQuery {
  /** Answer one page of at most this many elements, in plain digits. Without it: everything. */
  limit?: number | undefined
  /** Where the page begins: the cursor in the Link field of the page before. */
  cursor?: string | undefined
  /** The representation; wins over the Accept field. */
  format?: 'json' | 'ndjson' | 'csv' | undefined
  /** extra: what the writer kept beside the contract, as a last member. */
  include?: 'extra' | undefined
  /** One of position, latency.asc, cost.asc, result.<evaluator>.asc, delta.<evaluator>.asc; desc in place of asc. Position breaks ties; rows without a value come last. */
  order?: string | undefined
  /** Rows where the text stands in an input, an output, an expected answer or the note, in any letter case. */
  q?: string | undefined
  /** seconds, of all outputs together; rows without one never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x. */
  latency?: string | undefined
  /** US dollars, of all outputs together; rows without one never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x. */
  cost?: string | undefined
  /** whether the scenario is pinned: is.true, is.false. */
  is_pinned?: string | undefined
  /** whether it has a note: is.present, is.null. */
  note?: string | undefined
  /** whether the application failed: an output with an error; or the group of that error, as the summary has it: is.true, is.false, eq.x. */
  error?: string | undefined
  /** The id of an evaluation whose rows delta compares with. */
  base?: string | undefined
  /** result.<evaluator>: what the evaluator said: passed, failed, nothing, failed itself; or its score. `eq` and `ne` compare texts too: is.true, is.false, is.null, is.error, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x. input.<input>: the value of the input: a text, or any other as JSON: eq.x, ne.x. delta.<evaluator>: score less the score of the same row in the evaluation that `base` names: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x. error.<evaluator>: the evaluator failed with an error of this group, as the summary has it: eq.x. */
  [filter: `result.${string}`]: string | undefined
  [filter: `input.${string}`]: string | undefined
  [filter: `delta.${string}`]: string | undefined
  [filter: `error.${string}`]: string | undefined
}

export interface GetEvaluationScenarioQuery {
  /** extra: what the writer kept beside the contract, as a last member. */
  include?: 'extra' | undefined
}

export interface ListEvaluationRowsQuery {
  /** How many rows to leave out before the first. Default 0. */
  offset?: number | undefined
  /** How many rows to answer at most. Default 200. */
  limit?: number | undefined
  /** After how many characters a text is cut. Default 200. */
  preview?: number | undefined
  /** The id of a scenario: answers the window that holds it, counted in steps of limit, and how many rows come before it. Where the filters leave it out, the window of the first row behind it, or of the last row. The offset does not matter then. */
  locate?: string | undefined
  /** One of position, latency.asc, cost.asc, result.<evaluator>.asc, delta.<evaluator>.asc; desc in place of asc. Position breaks ties; rows without a value come last. */
  order?: string | undefined
  /** Rows where the text stands in an input, an output, an expected answer or the note, in any letter case. */
  q?: string | undefined
  /** seconds, of all outputs together; rows without one never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x. */
  latency?: string | undefined
  /** US dollars, of all outputs together; rows without one never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x. */
  cost?: string | undefined
  /** whether the scenario is pinned: is.true, is.false. */
  is_pinned?: string | undefined
  /** whether it has a note: is.present, is.null. */
  note?: string | undefined
  /** whether the application failed: an output with an error; or the group of that error, as the summary has it: is.true, is.false, eq.x. */
  error?: string | undefined
  /** The id of an evaluation whose rows delta compares with. */
  base?: string | undefined
  /** result.<evaluator>: what the evaluator said: passed, failed, nothing, failed itself; or its score. `eq` and `ne` compare texts too: is.true, is.false, is.null, is.error, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x. input.<input>: the value of the input: a text, or any other as JSON: eq.x, ne.x. delta.<evaluator>: score less the score of the same row in the evaluation that `base` names: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x. error.<evaluator>: the evaluator failed with an error of this group, as the summary has it: eq.x. */
  [filter: `result.${string}`]: string | undefined
  [filter: `input.${string}`]: string | undefined
  [filter: `delta.${string}`]: string | undefined
  [filter: `error.${string}`]: string | undefined
}

export interface GetEvaluationSummaryQuery {
  /** Rows where the text stands in an input, an output, an expected answer or the note, in any letter case. */
  q?: string | undefined
  /** seconds, of all outputs together; rows without one never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x. */
  latency?: string | undefined
  /** US dollars, of all outputs together; rows without one never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x. */
  cost?: string | undefined
  /** whether the scenario is pinned: is.true, is.false. */
  is_pinned?: string | undefined
  /** whether it has a note: is.present, is.null. */
  note?: string | undefined
  /** whether the application failed: an output with an error; or the group of that error, as the summary has it: is.true, is.false, eq.x. */
  error?: string | undefined
  /** The id of another evaluation: adds how far each figure is from it, over the rows that both have. */
  base?: string | undefined
  /** result.<evaluator>: what the evaluator said: passed, failed, nothing, failed itself; or its score. `eq` and `ne` compare texts too: is.true, is.false, is.null, is.error, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x. input.<input>: the value of the input: a text, or any other as JSON: eq.x, ne.x. delta.<evaluator>: score less the score of the same row in the evaluation that `base` names: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x. error.<evaluator>: the evaluator failed with an error of this group, as the summary has it: eq.x. */
  [filter: `result.${string}`]: string | undefined
  [filter: `input.${string}`]: string | undefined
  [filter: `delta.${string}`]: string | undefined
  [filter: `error.${string}`]: string | undefined
}

export interface CompareEvaluationsQuery {
  /** The ids of the evaluations, the parameter repeated: the base first, then its candidates. */
  evaluation: string[]
  /** What rows are paired by: auto (the default), id, input, input.<name> or position. auto is the first of id, input and position by which 95 % of the smaller evaluation match. */
  by?: string | undefined
}

export interface ListComparisonRowsQuery {
  /** The ids of the evaluations, the parameter repeated: the base first, then its candidates. */
  evaluation: string[]
  /** What rows are paired by: auto (the default), id, input, input.<name> or position. auto is the first of id, input and position by which 95 % of the smaller evaluation match. */
  by?: string | undefined
  /** Only the rows of one class, by the first candidate. Default all. */
  show?: 'all' | 'regressed' | 'improved' | 'same' | 'incomparable' | 'missing' | undefined
  /** The evaluator that classes are about. Default: the first that base and first candidate both have. */
  on?: string | undefined
  /** How many rows to leave out before the first. Default 0. */
  offset?: number | undefined
  /** How many rows to answer at most. Default 200. */
  limit?: number | undefined
  /** After how many characters a text is cut. Default 200. */
  preview?: number | undefined
  /** The id of a scenario of the base, or of the first candidate where side says so: answers the window that holds its row, counted in steps of limit, and how many rows come before it. Where the view leaves it out, the window of the first row behind it, or of the last row. The offset does not matter then. */
  locate?: string | undefined
  /** Whose scenario locate names. Default base. */
  side?: 'base' | 'candidate' | undefined
  /** One of position, latency.asc, cost.asc, result.<evaluator>.asc, delta.<evaluator>.asc; desc in place of asc. About the row of the first candidate; position is that of the base. Rows without a value come last. Default: the largest change first for regressed and improved, else position. */
  order?: string | undefined
  /** Rows where the text stands in an input, an output, an expected answer or the note, in any letter case. */
  q?: string | undefined
  /** seconds, of all outputs together; rows without one never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x. */
  latency?: string | undefined
  /** US dollars, of all outputs together; rows without one never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x. */
  cost?: string | undefined
  /** whether the scenario is pinned: is.true, is.false. */
  is_pinned?: string | undefined
  /** whether it has a note: is.present, is.null. */
  note?: string | undefined
  /** whether the application failed: an output with an error; or the group of that error, as the summary has it: is.true, is.false, eq.x. */
  error?: string | undefined
  /** result.<evaluator>: what the evaluator said: passed, failed, nothing, failed itself; or its score. `eq` and `ne` compare texts too: is.true, is.false, is.null, is.error, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x. input.<input>: the value of the input: a text, or any other as JSON: eq.x, ne.x. delta.<evaluator>: score less the score of the same row in the evaluation that `base` names: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x. error.<evaluator>: the evaluator failed with an error of this group, as the summary has it: eq.x. */
  [filter: `result.${string}`]: string | undefined
  [filter: `input.${string}`]: string | undefined
  [filter: `delta.${string}`]: string | undefined
  [filter: `error.${string}`]: string | undefined
}

export interface ListVariantsQuery {
  /** Answer one page of at most this many elements, in plain digits. Without it: everything. */
  limit?: number | undefined
  /** Where the page begins: the cursor in the Link field of the page before. */
  cursor?: string | undefined
  /** Only those that fit: one of eq, ne, contains, a dot, and some text, or that alone to be equal. */
  name?: string | undefined
  /** Only those that fit: one of lt, lte, gt, gte, a dot, and a time of RFC 3339. */
  created_at?: string | undefined
}

export interface ListVariantRevisionsQuery {
  /** Answer one page of at most this many elements, in plain digits. Without it: everything. */
  limit?: number | undefined
  /** Where the page begins: the cursor in the Link field of the page before. */
  cursor?: string | undefined
  /** The representation; wins over the Accept field. */
  format?: 'json' | 'ndjson' | 'csv' | undefined
  /** What each revision has beside its fields, with commas: evaluations, those that ran it and their scores (the answer then has no ETag); changes, what it changed against the one before; message, what was said about it. A table has none of them. */
  include?: string | undefined
}

export interface ImportFileQuery {
  /** What the file is; without it that is found out by its content. */
  format?: 'scenarios' | 'revisions' | 'promptfoo' | 'inspect' | 'deepeval' | 'lm-eval' | 'phoenix' | 'openai' | 'table' | undefined
  /** The name of the file, which some formats tell things by. */
  name?: string | undefined
  /** The evaluation that the results go to, whatever the file says. */
  evaluation?: string | undefined
  /** The variant that was evaluated, or whose revisions these are. */
  variant?: string | undefined
  /** Store nothing. */
  dry_run?: boolean | undefined
  /** Leave out the records that cannot be kept, and store the others. */
  skip_invalid?: boolean | undefined
  /** Of a table: the columns that are inputs, separated by commas. */
  input?: string | undefined
  /** Of a table: the columns that are the output, separated by commas. */
  output?: string | undefined
  /** Of a table: the columns that are correct answers, separated by commas. */
  expected?: string | undefined
  /** Of a table: the columns that are results, separated by commas. */
  score?: string | undefined
  /** Of a table: the columns that are kept beside the scenario, separated by commas. */
  extra?: string | undefined
}

/** The error, for programs. */
export type ProblemCode =
  | 'access-denied'
  | 'conflict'
  | 'content-too-large'
  | 'evaluation-not-found'
  | 'expectation-failed'
  | 'header-fields-too-large'
  | 'insufficient-storage'
  | 'internal-error'
  | 'invalid-content'
  | 'invalid-json'
  | 'invalid-request'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'request-timeout'
  | 'revision-not-found'
  | 'route-not-found'
  | 'scenario-not-found'
  | 'share-not-found'
  | 'too-many-requests'
  | 'unauthorized'
  | 'unavailable'
  | 'unsupported-media-type'
  | 'uri-too-long'
  | 'variant-not-found'
