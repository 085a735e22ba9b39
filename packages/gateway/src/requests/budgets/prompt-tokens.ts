import { picturesIn } from './pictures.ts'

/**
 * Prose has 4 bytes per token, and code or other scripts have fewer: a reservation may be too
 * large, but not too small.
 */
const bytesPerToken = 3
/** No provider counts an image for more. */
const imageTokens = 4096
const quotes = 2
const brackets = 2

/** An upper estimate of the tokens of a text with so many bytes. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken)
}

/** The most bytes that a text with so many tokens was estimated from. */
export function bytesOfTokens(tokens: number): number {
  return tokens * bytesPerToken
}

/** An upper estimate of the tokens of a prompt, tools and everything else that the model is shown. */
export function promptTokensOf({ messages, ...others }: Readonly<Record<string, unknown>>): number {
  const pictures = picturesIn(messages)
  // Models read messages as text, and everything else as JSON with its escapes.
  const bytes =
    bytesOf(messages, (text) => Buffer.byteLength(text) + quotes, pictures) + bytesOf({ ...others, messages: '' }, jsonBytes, pictures)
  return tokensOfBytes(bytes)
}

/** The same of a request in any API: some call messages `input`. */
export function sentTokensOf(request: Readonly<Record<string, unknown>>): number {
  const { input, ...others } = request
  return promptTokensOf(others.messages === undefined && input !== undefined ? { ...others, messages: input } : request)
}

/** Bytes of a value as JSON, each picture as many as its tokens have; by hand, because it may be nested deeply. */
function bytesOf(root: unknown, textBytes: (text: string) => number, pictures: ReadonlyMap<object, string>): number {
  let bytes = 0
  const open: unknown[] = [root]
  while (open.length > 0) {
    const value = open.pop()
    // A comma follows.
    bytes += 1
    if (typeof value === 'string') bytes += textBytes(value)
    else if (Array.isArray(value)) {
      bytes += brackets
      for (const item of value) open.push(item)
    } else if (typeof value === 'object' && value !== null) {
      bytes += brackets
      for (const [name, member] of Object.entries(value)) {
        if (member === undefined) continue
        bytes += textBytes(name) + 1
        if (typeof member === 'string' && pictures.get(value) === name) bytes += imageTokens * bytesPerToken
        else open.push(member)
      }
    } else {
      // A number in a list may be a token by itself.
      bytes += Math.max(String(value).length, bytesPerToken)
    }
  }
  return bytes
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}
