import { utf8Length } from '@stickler/core/runners'

/** How much one request may carry. */
export interface BatchLimits {
  readonly count: number
  readonly bytes: number
}

/** Splits texts into batches of bounded count and size; a text larger than a batch gets its own. */
export function batches(texts: readonly string[], { count, bytes }: BatchLimits): string[][] {
  const cut: string[][] = []
  let current: string[] = []
  let size = 0
  for (const text of texts) {
    const length = utf8Length(text)
    if (current.length > 0 && (current.length >= count || size + length > bytes)) {
      cut.push(current)
      current = []
      size = 0
    }
    current.push(text)
    size += length
  }
  if (current.length > 0) cut.push(current)
  return cut
}
