// The errors in the sample: failed model requests and failed judges.

export interface Fault {
  message: string
  stacktrace: string | null
}

export type Failure =
  | 'openai timeout'
  | 'openai rate limit'
  | 'content filter'
  | 'anthropic timeout'
  | 'anthropic rate limit'
  | 'overloaded'
  | 'connection reset'

export interface JudgeFailure {
  evaluator: 'answer_correct' | 'faithfulness' | 'tone'
  kind: 'no json' | 'too long' | 'unknown label' | 'timeout'
}

const SITE = '/srv/evals/.venv/lib/python3.12/site-packages'

function trace(vendor: 'openai' | 'anthropic', call: string, last: string): string {
  const status = last.includes('Error code')
  const failure = /\.(\w+):/.exec(last)?.[1]
  const [resource, line] =
    vendor === 'openai'
      ? ['resources/chat/completions/completions.py', 925]
      : ['resources/messages/messages.py', 953]
  return [
    'Traceback (most recent call last):',
    '  File "/srv/evals/run_support.py", line 118, in run_row',
    '    reply = await asyncio.to_thread(app.answer, row.inputs)',
    '            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^',
    '  File "/srv/support/app.py", line 64, in answer',
    `    response = self.client.${call}(**parameters)`,
    `               ^^^^^^^^^^^^${'^'.repeat(call.length)}^^^^^^^^^^^^^^`,
    `  File "${SITE}/${vendor}/${resource}", line ${line}, in create`,
    '    return self._post(',
    '           ^^^^^^^^^^^',
    `  File "${SITE}/${vendor}/_base_client.py", line 1249, in post`,
    '    return cast(ResponseT, self.request(cast_to, opts, stream=stream, stream_cls=stream_cls))',
    '                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^',
    `  File "${SITE}/${vendor}/_base_client.py", line ${status ? 1037 : 994}, in request`,
    status
      ? '    raise self._make_status_error_from_response(err.response) from None'
      : `    raise ${failure}(request=request) from err`,
    last,
  ].join('\n')
}

function openai(last: string): string {
  return trace('openai', 'chat.completions.create', last)
}

function anthropic(last: string): string {
  return trace('anthropic', 'messages.create', last)
}

const RATE_LIMIT =
  'Rate limit reached for gpt-4o-mini in organization org-larkfell on tokens per min (TPM): Limit 200000, ' +
  'Used 198412, Requested 2140. Please try again in 165ms.'
const FILTERED =
  "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. " +
  'Please modify your prompt and retry.'
const ACCELERATION = "This request would exceed your organization's rate limit of 50 requests per minute."

export const FAULTS: Record<Failure, Fault & { seconds: readonly [number, number] }> = {
  'openai timeout': {
    message: 'Request timed out.',
    stacktrace: openai('openai.APITimeoutError: Request timed out.'),
    seconds: [60.01, 60.4],
  },
  'openai rate limit': {
    message: `Error code: 429 - ${RATE_LIMIT}`,
    stacktrace: openai(
      `openai.RateLimitError: Error code: 429 - {'error': {'message': '${RATE_LIMIT}', 'type': 'tokens', ` +
        `'param': None, 'code': 'rate_limit_exceeded'}}`,
    ),
    seconds: [0.14, 0.42],
  },
  'content filter': {
    message: `Error code: 400 - ${FILTERED}`,
    stacktrace: openai(
      `openai.BadRequestError: Error code: 400 - {'error': {'message': "${FILTERED}", 'type': None, ` +
        `'param': 'prompt', 'code': 'content_filter', 'status': 400, 'innererror': {'code': ` +
        `'ResponsibleAIPolicyViolation', 'content_filter_result': {'violence': {'filtered': True, ` +
        `'severity': 'medium'}}}}}`,
    ),
    seconds: [0.3, 0.7],
  },
  'anthropic timeout': {
    message: 'Request timed out or interrupted.',
    stacktrace: anthropic('anthropic.APITimeoutError: Request timed out or interrupted.'),
    seconds: [60.01, 60.4],
  },
  'anthropic rate limit': {
    message: `Error code: 429 - ${ACCELERATION}`,
    stacktrace: anthropic(
      `anthropic.RateLimitError: Error code: 429 - {'type': 'error', 'error': {'type': 'rate_limit_error', ` +
        `'message': "${ACCELERATION}"}}`,
    ),
    seconds: [0.1, 0.3],
  },
  overloaded: {
    message: 'Error code: 529 - Overloaded',
    stacktrace: anthropic(
      "anthropic.OverloadedError: Error code: 529 - {'type': 'error', 'error': {'type': " +
        "'overloaded_error', 'message': 'Overloaded'}}",
    ),
    seconds: [0.6, 2.2],
  },
  'connection reset': {
    message: 'Connection error.',
    stacktrace: anthropic('anthropic.APIConnectionError: Connection error.'),
    seconds: [4.1, 9.3],
  },
}

const JUDGE_TRACE = [
  'Traceback (most recent call last):',
  '  File "/srv/evals/judges.py", line 41, in score',
  '    verdict = json.loads(reply)',
  '              ^^^^^^^^^^^^^^^^^',
  '  File "/usr/lib/python3.12/json/__init__.py", line 346, in loads',
  '    return _default_decoder.decode(s)',
  '           ^^^^^^^^^^^^^^^^^^^^^^^^^^',
  'json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)',
].join('\n')

export const JUDGE_FAULTS: Record<JudgeFailure['kind'], Fault> = {
  'no json': {
    message: 'The judge returned no JSON: "Based on the reference, the assistant\'s answer is mostly…"',
    stacktrace: JUDGE_TRACE,
  },
  'too long': {
    message: 'The judge stopped at its limit of 512 tokens: the answer holds 31 claims, 18 were checked.',
    stacktrace: null,
  },
  'unknown label': {
    message: 'Expected friendly, neutral or curt; the judge said "robotic".',
    stacktrace: null,
  },
  timeout: { message: 'The judge did not answer within 30 seconds.', stacktrace: null },
}
