/** Field 1 of a ParseReply, a number: the verdict. */
const verdictTag = (1 << 3) | 0
/** Field 2 of a ParseReply, with a length: one fault. */
const faultTag = (2 << 3) | 2

/**
 * Keeps only the verdict and the first faults of a reply that is not parsed yet: parsing a million
 * small fields would take seconds. Throws when the bytes are not a message.
 */
export function cutTrace(bytes: Buffer, most: number): Buffer {
  const faults: Buffer[] = []
  let verdict = bytes.subarray(0, 0)
  for (let at = 0; at < bytes.length; ) {
    const tag = readVarint(bytes, at)
    const end = endOfField(bytes, tag)
    // Of a field that is there once the last one counts.
    if (tag.value === verdictTag) verdict = bytes.subarray(at, end)
    if (tag.value === faultTag && faults.length < most) faults.push(bytes.subarray(at, end))
    at = end
  }
  return Buffer.concat([verdict, ...faults])
}

interface Varint {
  readonly value: number
  readonly end: number
}

function endOfField(bytes: Buffer, tag: Varint): number {
  switch (tag.value & 7) {
    case 0:
      return readVarint(bytes, tag.end).end
    case 1:
      return within(bytes, tag.end + 8)
    case 2: {
      const length = readVarint(bytes, tag.end)
      return within(bytes, length.end + length.value)
    }
    case 5:
      return within(bytes, tag.end + 4)
    default:
      throw new RangeError('not a field of a reply')
  }
}

/** Only the low 32 bits count, as they do for tags and lengths. */
function readVarint(bytes: Buffer, start: number): Varint {
  let value = 0
  for (let index = 0; index < 10; index++) {
    const byte = bytes[start + index] ?? 0x80
    if (index < 5) value |= (byte & 0x7f) << (7 * index)
    if (byte < 0x80) return { value: value >>> 0, end: start + index + 1 }
  }
  throw new RangeError('a number without an end')
}

function within(bytes: Buffer, end: number): number {
  if (end > bytes.length) throw new RangeError('a field beyond the end of the reply')
  return end
}
