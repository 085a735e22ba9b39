/** One item of a response as a test writes it. */
export type WrittenItem =
  | { readonly text: readonly string[]; readonly annotations?: readonly object[] }
  | { readonly call: string; readonly arguments: readonly string[] }
  | { readonly thought: string }
  | { readonly refusal: readonly string[] }
  | { readonly other: Readonly<Record<string, unknown>> }

/** The events of a response as OpenAI sends them, each as the JSON of its data. */
export function responseEvents(items: readonly WrittenItem[], fields: Readonly<Record<string, unknown>> = {}): readonly string[] {
  const events: string[] = []
  let number = 0
  const send = (type: string, more: object): void => void events.push(JSON.stringify({ type, sequence_number: number++, ...more }))
  const response = { id: 'resp_1', object: 'response', created_at: 1741476777, model: 'real-model', unknown: 12345678, ...fields }
  send('response.created', { response: { ...response, status: 'in_progress', output: [] } })
  send('response.in_progress', { response: { ...response, status: 'in_progress', output: [] } })
  const output = items.map((item, output_index) => sendItem(item, output_index, send))
  const usage = {
    input_tokens: 36,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens: 87,
    output_tokens_details: {},
    total_tokens: 123,
  }
  send('response.completed', { response: { ...response, status: 'completed', output, usage } })
  return events
}

type Send = (type: string, more: object) => void

function sendItem(written: WrittenItem, output_index: number, send: Send): object {
  const add = (item: object): void => send('response.output_item.added', { output_index, item })
  const done = (item: object): object => {
    send('response.output_item.done', { output_index, item })
    return item
  }
  if ('thought' in written) {
    const item = { id: `rs_${output_index}`, type: 'reasoning', encrypted_content: 'gAAA', summary: [] as object[] }
    add(item)
    const part = { type: 'summary_text', text: '' }
    send('response.reasoning_summary_part.added', { item_id: item.id, output_index, summary_index: 0, part })
    send('response.reasoning_summary_text.delta', { item_id: item.id, output_index, summary_index: 0, delta: written.thought })
    return done({ ...item, summary: [{ type: 'summary_text', text: written.thought }] })
  }
  if ('call' in written) {
    const item = {
      id: `fc_${output_index}`,
      type: 'function_call',
      status: 'in_progress',
      call_id: `call_${output_index}`,
      name: written.call,
    }
    const place = { item_id: item.id, output_index }
    add({ ...item, arguments: '' })
    for (const delta of written.arguments) send('response.function_call_arguments.delta', { ...place, delta, obfuscation: 'x' })
    const all = written.arguments.join('')
    send('response.function_call_arguments.done', { ...place, arguments: all })
    return done({ ...item, status: 'completed', arguments: all })
  }
  if ('other' in written) {
    const item = { id: `ws_${output_index}`, ...written.other }
    add(item)
    send('response.web_search_call.searching', { item_id: item.id, output_index })
    return done(item)
  }
  const item = { id: `msg_${output_index}`, type: 'message', status: 'in_progress', role: 'assistant' }
  const place = { item_id: item.id, output_index, content_index: 0 }
  add({ ...item, content: [] })
  if ('refusal' in written) {
    const part = { type: 'refusal', refusal: written.refusal.join('') }
    send('response.content_part.added', { ...place, part: { ...part, refusal: '' } })
    for (const delta of written.refusal) send('response.refusal.delta', { ...place, delta })
    send('response.refusal.done', { ...place, refusal: part.refusal })
    send('response.content_part.done', { ...place, part })
    return done({ ...item, status: 'completed', content: [part] })
  }
  const { text, annotations = [] } = written
  const empty = { type: 'output_text', text: '', annotations: [], logprobs: [] }
  send('response.content_part.added', { ...place, part: empty })
  for (const delta of text)
    send('response.output_text.delta', { ...place, delta, logprobs: [{ token: delta, logprob: -1, top_logprobs: [] }], obfuscation: 'abc' })
  const all = text.join('')
  for (const [annotation_index, annotation] of annotations.entries())
    send('response.output_text.annotation.added', { ...place, annotation_index, annotation })
  const part = { ...empty, text: all, annotations }
  send('response.output_text.done', { ...place, text: all, logprobs: [] })
  send('response.content_part.done', { ...place, part })
  return done({ ...item, status: 'completed', content: [part] })
}
