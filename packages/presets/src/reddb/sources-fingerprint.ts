import { sha256, sha256Hex } from './sha256.ts'

const unitSeparator = 0x1f
const recordSeparator = 0x1e
const largestVersion = 2n ** 64n - 1n

interface EncodedSource {
  readonly urn: Uint8Array
  readonly version: bigint
}

/** Names a set of sources: equal for every order and repetition, different when a urn or version differs. */
export async function sourcesFingerprint(sources: readonly { readonly urn: string; readonly version: bigint }[]): Promise<string> {
  const encoder = new TextEncoder()
  const sorted = sources.map(({ urn, version }) => ({ urn: encoder.encode(urn), version: checked(version) })).sort(compare)
  const unique = sorted.filter((source, index) => {
    const before = sorted[index - 1]
    return before === undefined || compare(before, source) !== 0
  })
  return sha256Hex(join(unique))
}

/** The version of a source that has none of its own: the first 8 bytes, big endian, of the SHA-256 of its payload. */
export async function contentVersion(payload: string): Promise<bigint> {
  return new DataView((await sha256(payload)).buffer).getBigUint64(0)
}

function checked(version: bigint): bigint {
  // 8 bytes would wrap round, and two versions would share a fingerprint.
  if (version < 0n || version > largestVersion) throw new RangeError(`version ${version} of a source does not fit in 8 bytes`)
  return version
}

function compare(a: EncodedSource, b: EncodedSource): number {
  const shared = Math.min(a.urn.length, b.urn.length)
  for (let index = 0; index < shared; index++) {
    const difference = (a.urn[index] ?? 0) - (b.urn[index] ?? 0)
    if (difference !== 0) return difference
  }
  if (a.urn.length !== b.urn.length) return a.urn.length - b.urn.length
  return a.version < b.version ? -1 : a.version > b.version ? 1 : 0
}

function join(sources: readonly EncodedSource[]): Uint8Array {
  const bytes = new Uint8Array(sources.reduce((length, { urn }) => length + urn.length + 10, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const { urn, version } of sources) {
    bytes.set(urn, at)
    at += urn.length
    bytes[at] = unitSeparator
    view.setBigUint64(at + 1, version)
    bytes[at + 9] = recordSeparator
    at += 10
  }
  return bytes
}

/** The seed of a question over given sources: the first 8 bytes, little endian, of a SHA-256, as unsigned 64 bits. */
export async function deriveSeed(question: string, fingerprint: string): Promise<bigint> {
  return new DataView((await sha256(`${question}\x1f${fingerprint}`)).buffer).getBigUint64(0, true)
}

/** How many sources are hashed before yielding to other work. */
const slice = 64

/** Sources with their versions; those without one have that of their payload. */
export async function versionedSources(
  sources: readonly { readonly urn: string; readonly payload: string; readonly version?: bigint }[],
): Promise<readonly { readonly urn: string; readonly version: bigint }[]> {
  const versioned: { readonly urn: string; readonly version: bigint }[] = []
  for (let from = 0; from < sources.length; from += slice) {
    const some = sources.slice(from, from + slice)
    const named = some.map(async ({ urn, payload, version }) => ({ urn, version: version ?? (await contentVersion(payload)) }))
    versioned.push(...(await Promise.all(named)))
  }
  return versioned
}
