// The names that people write in the headers of result tables. docs/reference/imports/tables.md lists them.

/** Splits a list, which is easier to read than an array of many short texts. */
export const splitList = (text: string): readonly string[] => text.trim().split(/,\s+/)

/** Names in any case and style: `groundTruth`, `Ground Truth` and `ground_truth` are equal. Preferred names come first. */
export const COLUMN_NAMES = {
  id: splitList(`id, case id, test id, test case id, scenario id, sample id, example id, question id, query id, prompt id,
    task id, item id, row id, record id, instance id, qid, uid, uuid`),
  repetition:
    splitList(`repetition, repetition index, repetition number, repeat, repeat index, repeat number, trial, trial index,
    trial number, epoch, epoch index, epoch number`),
  input:
    splitList(`question, questions, query, prompt, input, inputs, instruction, instructions, text, context, contexts,
    retrieved contexts, messages, conversation, history, document, documents, passage, source, article, problem, task,
    test case, sentence, premise, src, user message, customer message, transcript, retrieved docs, claim, evidence, frage, eingabe, entrée, pregunta, entrada, topic, category, type, tags, subject, domain, difficulty, language, choices, options`),
  provider: splitList(`model, model name, model id, llm, llm model, llm name, engine, provider`),
  output:
    splitList(`output, response, actual output, actual response, actual answer, model output, model response,
    model answer, generated answer, llm output, prediction, predicted, pred, generated, generation, reply, y pred,
    outputs, responses, predictions, hyp, mt, sampled, ausgabe, sortie, salida`),
  expected:
    splitList(`expected, ground truth, groundtruth, gt, gold, golden, reference, references, ref, target, targets,
    truth, correct answer, correct answers, correct output, correct response, correct label, ideal, y true, true label,
    true answer, desired output, desired answer, highlights, erwartet, attendu, attendue, esperado, esperada`),
  note: splitList(
    'note, notes, comment, comments, remark, remarks, annotation, observations, kommentar, commentaire, commentaires, comentario',
  ),
  extra:
    splitList(`confidence, probability, prob, logprob, logprobs, timestamp, created at, updated at, finish reason,
    stop reason, index, idx, row, row number, seed, temperature, top p, ttft, usage, steps, turn, metadata, meta`),
}

/** Names of what was compared, if each question occurs once per value. Otherwise they mean nothing. */
export const SYSTEM_NAMES = splitList(
  'system, method, approach, strategy, pipeline, configuration, config, setup, variant, run, experiment, prompt version, prompt name, prompt template',
)

/** Names of the output if no other column is the output. */
export const AMBIGUOUS_NAMES = splitList(
  'answer, answers, completion, label, actual, result, translation, summary, rewrite, sql, code, hypothesis, antwort, réponse, respuesta',
)
/** Ambiguous names that are an expected answer if another column is the output. */
export const ANSWER_NAMES = splitList(
  'answer, answers, completion, label, actual, antwort, réponse, respuesta',
)

/** Last words of names. */
export const NAME_ENDINGS = {
  input: splitList('question, query, prompt, input, instruction, context, contexts, document, documents'),
  output: splitList('output, response, prediction, completion, generation, reply'),
  score:
    splitList(`score, scores, rating, bleu, rouge, rouge1, rouge2, rougel, meteor, chrf, bertscore, f1, em, accuracy,
    acc, precision, recall, wer, cer, ndcg, mrr, rr, reciprocal rank, similarity, relevance, relevancy, faithfulness, groundedness,
    correctness, hallucination, toxicity, helpfulness, coherence, fluency, conciseness, completeness, compliance, comet,
    bleurt, ter, hit, judgment, judgement, verdict, correct, pass, passed, success, succeeded, exact match, bewertung, punkte, korrekt, richtig, puntuación, puntaje, correcto`),
  /** Scores only after the output, and only if the values are numbers or true and false. */
  weakScore:
    splitList(`grade, points, stars, rate, quality, safety, overall, evaluation, assessment, match, exact, valid,
    accurate, relevant, helpful, faithful, grounded, consistency, clarity, usefulness, bias, judge, toxic, safe, hallucinated`),
  reason: splitList('reason, reasons, explanation, rationale, justification, feedback, critique, reasoning'),
  cost: splitList('cost, kosten, coût, costo, coste'),
  latency:
    splitList(`latency, duration, elapsed, response time, inference time, timing, generation time, gen time, total time,
    elapsed time, time taken, exec time, execution time, processing time, runtime, dauer, latenz, durée, duración`),
  error: splitList('error, exception, error message'),
  note: splitList('note, notes, comment, comments, remark, remarks'),
  extra: splitList(
    'output message, response message, token, tokens, count, length, len, id, ids, hash, url, timestamp',
  ),
}

/** First words of names such as `generated_sql` and `bot answer`, with their last words. */
export const MAKERS =
  splitList(`generated, gen, predicted, pred, model, llm, ai, bot, chatbot, assistant, agent, actual,
  candidate, final, rag, app, student, system`)
export const MADE_THINGS =
  splitList(`output, outputs, response, responses, answer, answers, prediction, text, sql, code,
  summary, label, translation, completion, reply, generation, query, result`)
/** First words of expected answers, such as `gold_sql`. */
export const EXPECTED_STARTS = splitList(
  'expected, gold, golden, ground truth, groundtruth, ideal, erwartete, erwarteter',
)

/** First words of names that are not outputs: what the application received, such as `user_response`. */
export const RECEIVED_STARTS = splitList(
  'user, human, customer, input, prompt, correct, reference, ref, target, true, expected, gold, golden, ideal, ground',
)
/** Endings that belong to an expected answer after words such as `reference` and `correct`. */
export const REFERENCE_ENDINGS = splitList(
  `answer, answers, output, response, label, text, sql, code, summary, translation`,
)
/** Last words that describe answers, such as `response_format`. */
export const DESCRIPTIONS = splitList('choices, options, format, schema, type, key, start, end')
/** Last words of scores whose values 0 and 1 mean false and true. */
export const VERDICT_ENDINGS = splitList('correct, pass, passed, success, succeeded, match, valid, accurate')

/** Words that make an output of one application, such as `raw_output`, and not outputs of several ones. */
export const STAGES =
  splitList(`raw, parsed, clean, cleaned, processed, formatted, original, initial, first, final, last, previous, next, draft,
  revised, long, short, full, partial, best, worst, alternative, possible, acceptable, chosen, rejected, preferred,
  better, worse, wrong, incorrect, predicted, actual, main, multiple, other, class, text, model, llm, system, generated`)

/** First words of the names of models, which can be the names of columns with their outputs. */
export const MODEL_FAMILIES =
  splitList(`gpt, chatgpt, claude, gemini, gemma, llama, llama2, llama3, mistral, mixtral, qwen, qwen2, deepseek, palm, bard,
  vicuna, alpaca, falcon, phi, cohere, grok, davinci, o1, o3, o4, gpt3, gpt4, gpt5, bloom, yi, nova`)

/** First words of scores, such as `judge_empathy`, if the values are numbers or true and false. */
export const JUDGES = splitList(
  'judge, llm judge, grader, human, annotator, expert, metric, score, rating, eval',
)

/** Names of the score in the object of a judge, such as `judge_a.score`. */
export const JUDGMENT_MEMBERS = splitList('score, rating, grade, verdict')

/** Names of objects with one score per member, such as `scores.helpful`. */
export const SCORE_GROUPS =
  splitList(`score, scores, metric, metrics, rating, ratings, evaluation, evaluations, eval, evals, eval scores, eval results,
  grade, grades, grading, judgment, judgments, judge, judge scores, evaluation scores, evaluation results, assessment,
  assessments, feedback, feedbacks, bewertung, bewertungen`)

/** Names of lists of chat messages. The last one can be the output. */
export const CHAT_NAMES = splitList(
  'messages, message, conversation, conversations, dialog, dialogue, chat, transcript, trajectory',
)

/** The first cell of rows that summarize the others. */
export const SUMMARY_WORDS =
  splitList(`total, totals, sum, average, avg, mean, overall, median, std, stdev, std dev, min, max, count, summary, summe,
  gesamt, durchschnitt, mittelwert, moyenne, somme, promedio, media, suma`)

/** Words for units at the end of names. */
export const UNITS = {
  ms: splitList('ms, msec, millis, milliseconds'),
  s: splitList('s, sec, secs, seconds'),
  us: splitList('us, microseconds'),
  min: splitList('min, mins, minutes'),
  usd: splitList('usd, dollar, dollars'),
  cents: splitList('cent, cents'),
  percent: splitList('pct, percent, percentage'),
  /** Units that are not converted. */
  other: splitList('ns, h, hours, eur, euro, euros, gbp'),
}

/** Cells of the type bool. */
export const TRUE_WORDS = splitList(
  'true, yes, y, t, pass, passed, correct, right, success, ok, ja, oui, vrai, sí, 1, 1.0, ✓, ✔, ✅, ☑, 👍',
)
export const FALSE_WORDS = splitList(
  'false, no, n, f, fail, failed, incorrect, wrong, failure, nein, non, faux, 0, 0.0, ✗, ✘, ❌, ✖, ☒, 👎',
)
/** True and false words that are verdicts whatever the name of the column is. */
export const VERDICT_WORDS = splitList('pass, passed, fail, failed, correct, incorrect, wrong')
/** Cells of error columns that mean that nothing failed. */
export const NO_ERROR_WORDS = splitList('none, null, nan, n/a, na, no, no error, false, 0, ok, success, -, —')
/** The beginning of cells of scores in which the evaluator, or a spreadsheet, failed. */
export const ERROR_STARTS =
  splitList(`error, err, exception, traceback, timeout, timed out, failed to, could not, unable to, rate limit, ratelimit, parse error,
  parsing error, invalid json, #ref!, #div/0!, #value!, #name?, #num!, #null!, #error!`)
/** Cells that mean a missing score, in columns with a type. */
export const MISSING_WORDS = splitList('n/a, na, none, null, -, —, #n/a')
