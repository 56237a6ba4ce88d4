// One conversation per format, as the tools and providers store them: a system prompt, a question, a tool call with its
// result, and an answer with reasoning.

/** A red pixel. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

export const SYSTEM_PROMPT = 'You are a customer support agent of Larkfell.'
export const QUESTION = 'How long do I have to send back the "Drift" jacket?'
export const ANSWER = 'You have 30 days from delivery.'
export const REASONING = 'The order was delivered on 28 August.'
const ARGUMENTS = '{"order_number":"LK-46018"}'
const RESULT = '{"placed":"2026-08-25","total":229}'

const OPENAI_CHAT = [
  { role: 'system', content: SYSTEM_PROMPT },
  {
    role: 'user',
    content: [
      { type: 'text', text: QUESTION },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, detail: 'low' } },
      { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
    ],
  },
  {
    role: 'assistant',
    content: null,
    refusal: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_order', arguments: ARGUMENTS } }],
  },
  { role: 'tool', tool_call_id: 'call_1', content: RESULT },
  { role: 'assistant', content: ANSWER, reasoning_content: REASONING, annotations: [] },
]

const OPENAI_RESPONSES = {
  model: 'gpt-5',
  instructions: SYSTEM_PROMPT,
  input: [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: QUESTION },
        { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
      ],
    },
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'get_order', arguments: ARGUMENTS },
    { type: 'function_call_output', call_id: 'call_1', output: RESULT },
  ],
  output: [
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: REASONING }] },
    {
      type: 'message',
      id: 'msg_1',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: ANSWER, annotations: [] }],
    },
  ],
}

const ANTHROPIC = {
  model: 'claude-3-5-haiku',
  max_tokens: 1024,
  system: [{ type: 'text', text: SYSTEM_PROMPT, cache_control: { type: 'ephemeral' } }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: QUESTION },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
      ],
    },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'get_order', input: JSON.parse(ARGUMENTS) }],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: RESULT }] }],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: REASONING, signature: 'EqQBCgIYAhIM' },
        { type: 'text', text: ANSWER },
      ],
    },
  ],
}

const GEMINI = {
  systemInstruction: { parts: [{ text: SYSTEM_PROMPT }] },
  contents: [
    { role: 'user', parts: [{ text: QUESTION }, { inlineData: { mimeType: 'image/png', data: PNG } }] },
    { role: 'model', parts: [{ functionCall: { name: 'get_order', args: JSON.parse(ARGUMENTS) } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'get_order', response: JSON.parse(RESULT) } }] },
    { role: 'model', parts: [{ text: REASONING, thought: true }, { text: ANSWER }] },
  ],
}

const INSPECT = [
  { id: 'a', role: 'system', content: SYSTEM_PROMPT },
  {
    id: 'b',
    role: 'user',
    source: 'input',
    content: [
      { type: 'text', text: QUESTION },
      { type: 'image', image: `data:image/png;base64,${PNG}`, detail: 'auto' },
    ],
  },
  {
    id: 'c',
    role: 'assistant',
    source: 'generate',
    content: '',
    tool_calls: [{ id: 'call_1', function: 'get_order', arguments: JSON.parse(ARGUMENTS), type: 'function' }],
  },
  { id: 'd', role: 'tool', content: RESULT, tool_call_id: 'call_1', function: 'get_order' },
  {
    id: 'e',
    role: 'assistant',
    source: 'generate',
    content: [
      { type: 'reasoning', reasoning: REASONING, redacted: false },
      { type: 'text', text: ANSWER },
    ],
  },
]

const langChainId = (name: string) => ['langchain', 'schema', 'messages', name]
const LANGCHAIN = {
  messages: [
    { lc: 1, type: 'constructor', id: langChainId('SystemMessage'), kwargs: { content: SYSTEM_PROMPT } },
    {
      lc: 1,
      type: 'constructor',
      id: langChainId('HumanMessage'),
      kwargs: {
        content: [
          { type: 'text', text: QUESTION },
          { type: 'image_url', image_url: `data:image/png;base64,${PNG}` },
        ],
        type: 'human',
      },
    },
    {
      type: 'ai',
      content: '',
      additional_kwargs: {},
      tool_calls: [{ name: 'get_order', args: JSON.parse(ARGUMENTS), id: 'call_1', type: 'tool_call' }],
    },
    { type: 'tool', data: { content: RESULT, name: 'get_order', tool_call_id: 'call_1' } },
    { type: 'ai', content: ANSWER, additional_kwargs: { reasoning_content: REASONING } },
  ],
}

export const FAMILIES: [name: string, conversation: unknown][] = [
  ['OpenAI chat', OPENAI_CHAT],
  ['OpenAI responses', OPENAI_RESPONSES],
  ['Anthropic', ANTHROPIC],
  ['Gemini', GEMINI],
  ['Inspect', INSPECT],
  ['LangChain', LANGCHAIN],
]
