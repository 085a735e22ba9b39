/** Published rules of providers on conversations with calls of tools, as upstreams in tests apply them. */

type Fields = Readonly<Record<string, unknown>>

/** Why a provider answers a request with 400; undefined when it takes it. */
export function faultIn(api: 'chat' | 'responses' | 'messages', body: Fields): string | undefined {
  const faults = { chat: chatFault, responses: responsesFault, messages: messagesFault }
  const fault = faults[api](body)
  // Turns of the user that follow each other are put together, unless there are calls.
  const hasCalls = /"(?:tool_calls|tool_use|function_call)"/.test(JSON.stringify(body.messages ?? body.input ?? ''))
  return fault?.startsWith('two turns') && !hasCalls ? undefined : fault
}

/** What OpenAI refuses of a conversation. */
function chatFault({ messages }: Fields): string | undefined {
  const open = new Set<unknown>()
  let last: Fields | undefined
  for (const message of messages as Fields[]) {
    const { role, tool_calls: calls, tool_call_id: id } = message
    if (role === 'tool') {
      if (!open.delete(id)) return `a result of no call: ${id}`
    } else if (open.size > 0) return `calls without results: ${[...open]}`
    if (role === 'user' && last?.role === 'user') return 'two turns of the user'
    if (role !== 'assistant' && typeof message.content !== 'string' && !Array.isArray(message.content)) return `content is missing: ${role}`
    if (Object.keys(message).some((key) => !'role content name tool_calls tool_call_id reasoning_content'.split(' ').includes(key)))
      return `unknown field: ${Object.keys(message)}`
    for (const call of (calls as Fields[] | undefined) ?? []) {
      const { name, arguments: given } = call.function as Fields
      if (open.has(call.id)) return `the id is not unique: ${call.id}`
      if (!/^[\w-]{1,64}$/.test(String(name))) return `a bad name: ${name}`
      if (typeof JSON.parse(String(given)) !== 'object') return 'arguments are not an object'
      open.add(call.id)
    }
    last = message
  }
  return open.size > 0 ? 'calls without results' : undefined
}

/** What Anthropic refuses of a conversation. */
function messagesFault({ messages, thinking, tools }: Fields): string | undefined {
  let open = new Set<unknown>()
  let last: unknown
  for (const { role, content } of messages as Fields[]) {
    if (role !== 'user' && role !== 'assistant') return `unknown role: ${role}`
    if (role === last) return `two turns of the ${role}`
    last = role
    const blocks = (typeof content === 'string' ? [{ type: 'text', text: content }] : content) as Fields[]
    if (blocks.length === 0) return 'no content'
    if (blocks.some(({ type, text }) => type === 'text' && String(text).trim() === '')) return 'an empty text'
    if (role === 'assistant' && (thinking as Fields)?.type === 'enabled' && blocks.some(({ type }) => type === 'tool_use'))
      if (blocks[0]?.type !== 'thinking' || typeof blocks[0].signature !== 'string') return 'calls without their thinking'
    const results = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id: id }) => id)
    if (blocks.findIndex(({ type }) => type !== 'tool_result') < results.length - 1 && results.length < blocks.length)
      return 'text before results'
    if (results.length !== open.size || results.some((id) => !open.has(id))) return `results do not follow their calls: ${results}`
    const uses = blocks.filter(({ type }) => type === 'tool_use')
    if (uses.length > 0 && tools === undefined) return 'tool_use blocks need tools to be defined'
    for (const { id, name, input } of uses) {
      if (!/^[\w-]+$/.test(String(id))) return `a bad id: ${id}`
      if (!/^[\w-]{1,128}$/.test(String(name))) return `a bad name: ${name}`
      if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'an input that is not an object'
    }
    open = new Set(uses.map(({ id }) => id))
    if (open.size !== uses.length) return 'ids are not unique'
  }
  return open.size > 0 ? 'calls without results' : undefined
}

/** What OpenAI refuses of the items of a response. */
function responsesFault({ input }: Fields): string | undefined {
  const open = new Map<unknown, unknown>()
  let last: unknown
  for (const item of Array.isArray(input) ? (input as Fields[]) : []) {
    const { type = 'message', role, call_id: id, name, arguments: given } = item
    if (type === 'function_call') {
      if (open.has(id)) return `the id is not unique: ${id}`
      if (!/^[\w-]{1,64}$/.test(String(name)) || String(id).length > 64) return `a bad name or id: ${name}`
      if (typeof JSON.parse(String(given)) !== 'object') return 'arguments are not an object'
      open.set(id, type)
    } else if (String(type).endsWith('_call_output')) {
      if (`${open.get(id)}_output` !== type) return `No tool call found for ${String(type)} with call_id ${id}`
      open.delete(id)
    } else if (type === 'message' && open.size > 0) return `No tool output found for function call ${[...open.keys()]}`
    if (role === 'user' && last === 'user') return 'two turns of the user'
    last = type === 'message' ? role : type
  }
  return open.size > 0 ? `No tool output found for function call ${[...open.keys()]}` : undefined
}
