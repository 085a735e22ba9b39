import { picturesIn } from './pictures.ts'

/** Prose has 4 bytes for each token, and code or other scripts have fewer: what is set aside may be too much, but not too little. */
const bytesPerToken = 3
/** No provider counts an image for more. */
const imageTokens = 4096

/** An upper estimate of the tokens of a text with so many bytes. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken)
}

/** An upper estimate of the tokens of a prompt, tools and everything else that the model is shown. */
export function promptTokensOf(request: Readonly<Record<string, unknown>>): number {
  const pictures = picturesIn(request.messages)
  let tokens = 0
  let bytes = 0
  // By hand, because each image and each number of a list counts for itself.
  const open: unknown[] = [request]
  for (let value = open.pop(); value !== undefined || open.length > 0; value = open.pop()) {
    if (typeof value === 'string') bytes += Buffer.byteLength(value) + 4
    else if (typeof value === 'number') tokens += 1
    else if (Array.isArray(value)) for (const item of value) open.push(item ?? '')
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) {
        bytes += name.length + 4
        if (typeof member === 'string' && pictures.get(value) === name) tokens += imageTokens
        else open.push(member ?? '')
      }
  }
  return tokens + tokensOfBytes(bytes)
}
