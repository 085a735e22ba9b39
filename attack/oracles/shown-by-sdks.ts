type Json = Readonly<Record<string, unknown>>

/** What an official client shows of an answer, and what it executes. */
export interface Shown {
  readonly texts: readonly unknown[]
  readonly calls: readonly unknown[]
}

/** What programs take from an object of an official client: an answer, or an event of a stream. */
export function shownIn(value: unknown): Shown {
  const texts: unknown[] = []
  const calls: unknown[] = []
  take(value, texts, calls)
  return { texts: texts.filter(isThere), calls: calls.filter(isThere) }
}

function take(value: unknown, texts: unknown[], calls: unknown[]): void {
  const one = fields(value)
  const type = String(one.type)
  if (Array.isArray(one.choices)) for (const choice of one.choices) takeChoice(fields(choice), texts, calls)
  else if (type === 'message' && 'usage' in one) takeBlocks(one, texts, calls)
  else if (type === 'message_start') takeBlocks(fields(one.message), texts, calls)
  else if (type === 'content_block_start') takeBlocks({ content: [one.content_block] }, texts, calls)
  else if (type === 'content_block_delta') takeDelta(fields(one.delta), texts, calls)
  else if (one.object === 'response') takeResponse(one, texts, calls)
  else if (type.startsWith('response.')) takeEvent(type, one, texts, calls)
}

function takeChoice({ message, delta, logprobs }: Json, texts: unknown[], calls: unknown[]): void {
  for (const said of [fields(message), fields(delta)]) {
    texts.push(said.content, said.parsed)
    // A refusal alone is an answer of its own kind.
    if (isThere(said.content) || isThere(said.tool_calls)) texts.push(said.refusal)
    for (const call of [{ function: said.function_call }, ...list(said.tool_calls)]) {
      const { function: called, custom } = fields(call)
      calls.push(fields(called).name, fields(called).arguments, fields(called).parsed_arguments, fields(custom).name, fields(custom).input)
    }
  }
  for (const token of list(fields(logprobs).content)) texts.push(fields(token).token)
}

function takeBlocks({ content, parsed_output: parsed }: Json, texts: unknown[], calls: unknown[]): void {
  texts.push(parsed)
  for (const block of list(content)) {
    const { type, text, name, input, parsed_output: own } = fields(block)
    if (type === 'text') texts.push(text, own)
    else if (type === 'tool_use') calls.push(name, input)
    else if (typeof block === 'string') texts.push(block)
  }
}

function takeDelta({ type, text, partial_json: json }: Json, texts: unknown[], calls: unknown[]): void {
  if (type === 'text_delta') texts.push(text)
  else if (type === 'input_json_delta') calls.push(json)
}

function takeResponse({ output, output_text: joined, output_parsed: parsed }: Json, texts: unknown[], calls: unknown[]): void {
  texts.push(joined, parsed)
  for (const item of list(output)) takeItem(fields(item), texts, calls)
}

function takeItem(
  { type, content, name, arguments: given, parsed_arguments: parsed, input }: Json,
  texts: unknown[],
  calls: unknown[],
): void {
  if (type === 'function_call') calls.push(name, given, parsed)
  if (type === 'custom_tool_call') calls.push(name, input)
  if (type === 'message') for (const part of list(content)) takePart(fields(part), texts)
}

function takePart({ type, text, parsed, logprobs }: Json, texts: unknown[]): void {
  if (type === 'output_text') texts.push(text, parsed, ...list(logprobs).map((token) => fields(token).token))
}

function takeEvent(type: string, event: Json, texts: unknown[], calls: unknown[]): void {
  const { delta, text, arguments: given, input, name, snapshot, item, part, response } = event
  if (type.startsWith('response.output_text.')) texts.push(delta, text, snapshot)
  else if (type.startsWith('response.function_call_arguments.') || type.startsWith('response.custom_tool_call_input.'))
    calls.push(delta, given, input, name, snapshot)
  // Captions of what is heard.
  else if (type.startsWith('response.audio.transcript.')) texts.push(delta, text, event.transcript)
  takeItem(fields(item), texts, calls)
  takePart(fields(part), texts)
  takeResponse(fields(response), texts, calls)
}

function fields(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}
