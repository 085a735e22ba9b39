/**
 * What a finish reason means for the answer: `complete` and `calls` end it as the model intended; `length` cut it
 * at a token limit; `interrupted` ended it early for another reason; `paused` waits until the message is sent back,
 * as after calls; a `filter` of the provider or the model's own `refusal` withheld it; with `error` there is no answer.
 */
export type FinishKind = 'complete' | 'calls' | 'paused' | 'length' | 'interrupted' | 'filter' | 'refusal' | 'error'

type Words = Readonly<Record<string, FinishKind>>

const chat = {
  stop: 'complete',
  length: 'length',
  tool_calls: 'calls',
  function_call: 'calls',
  content_filter: 'filter',
  // Not a word of the API: readers put it where a message has a `refusal`.
  refusal: 'refusal',
} as const satisfies Words

const anthropic = {
  end_turn: 'complete',
  stop_sequence: 'complete',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'calls',
  // The turn goes on when the message is sent back.
  pause_turn: 'paused',
  pause_run: 'paused',
  compaction: 'paused',
  refusal: 'refusal',
} as const satisfies Words

/** The words of each wire format, in small letters with underscores; a word that several use means the same in all of them. */
export const finishWords = {
  openai: chat,
  azure: chat,
  groq: chat,
  openrouter: { ...chat, error: 'error' },
  mistral: { stop: 'complete', length: 'length', model_length: 'length', tool_calls: 'calls', error: 'error' },
  deepseek: { ...chat, insufficient_system_resource: 'interrupted' },
  together: { ...chat, eos: 'complete' },
  vllm: { ...chat, abort: 'interrupted', repetition: 'interrupted', error: 'error' },
  sglang: { ...chat, abort: 'interrupted' },
  tgi: { ...chat, eos_token: 'complete', stop_sequence: 'complete' },
  ollama: chat,
  llama_cpp: { ...chat, eos: 'complete', word: 'complete', limit: 'length' },
  zhipu: { ...chat, sensitive: 'filter', network_error: 'error', model_context_window_exceeded: 'length' },
  xai: { ...chat, end_turn: 'complete', max_len: 'length', max_context: 'length', time_limit: 'interrupted' },
  watsonx: {
    stop: 'complete',
    eos_token: 'complete',
    stop_sequence: 'complete',
    max_tokens: 'length',
    token_limit: 'length',
    time_limit: 'interrupted',
    not_finished: 'interrupted',
    cancelled: 'interrupted',
    error: 'error',
  },
  cohere: {
    complete: 'complete',
    stop_sequence: 'complete',
    max_tokens: 'length',
    tool_call: 'calls',
    error_limit: 'length',
    error_toxic: 'filter',
    user_cancel: 'interrupted',
    timeout: 'interrupted',
    error: 'error',
  },
  gemini: {
    stop: 'complete',
    max_tokens: 'length',
    safety: 'filter',
    recitation: 'filter',
    language: 'filter',
    blocklist: 'filter',
    prohibited_content: 'filter',
    spii: 'filter',
    model_armor: 'filter',
    image_safety: 'filter',
    image_prohibited_content: 'filter',
    image_recitation: 'filter',
    no_image: 'interrupted',
    image_other: 'interrupted',
    malformed_function_call: 'interrupted',
    malformed_response: 'interrupted',
    unexpected_tool_call: 'interrupted',
    too_many_tool_calls: 'interrupted',
    missing_thought_signature: 'interrupted',
    // How its address for chat completions writes filters: `content_filter: SAFETY`, `function_call_filter: …`.
    content_filter: 'filter',
    function_call_filter: 'interrupted',
  },
  anthropic,
  /** What `claude` writes as `stop_reason` of its result. */
  'claude-cli': anthropic,
  bedrock: {
    ...anthropic,
    content_filtered: 'filter',
    guardrail_intervened: 'filter',
    malformed_model_output: 'interrupted',
    malformed_tool_use: 'interrupted',
    finish: 'complete',
    finished: 'complete',
    length: 'length',
    endoftext: 'complete',
  },
  /** `status`, and the reason beside `incomplete`. */
  responses: {
    completed: 'complete',
    incomplete: 'interrupted',
    max_output_tokens: 'length',
    max_tool_calls: 'interrupted',
    content_filter: 'filter',
    cancelled: 'interrupted',
    in_progress: 'interrupted',
    queued: 'interrupted',
    failed: 'error',
  },
  /** AI SDK: its `other` and `unknown` carry no information, so they are left out. */
  'ai-sdk': { stop: 'complete', length: 'length', content_filter: 'filter', tool_calls: 'calls', error: 'error' },
  /** Libraries that translate: LangChain4j, Spring AI, Semantic Kernel, OpenTelemetry. */
  libraries: { tool_call: 'calls', tool_execution: 'calls', canceled: 'interrupted', aborted: 'interrupted', timed_out: 'interrupted' },
} as const satisfies Readonly<Record<string, Words>>
