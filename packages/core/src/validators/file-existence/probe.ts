import type { FileKind, FilePort } from '../../contract/ports.ts'

/** So many look-ups run at once: file handles are few. */
const concurrency = 8

/** Looks up what is at each of the paths, a few at a time. */
export async function probe(paths: ReadonlySet<string>, port: FilePort, signal: AbortSignal): Promise<ReadonlyMap<string, FileKind>> {
  const kinds = new Map<string, FileKind>()
  const waiting = paths.values()
  const work = async (): Promise<void> => {
    // All workers draw from the same iterator.
    for (const path of waiting) {
      signal.throwIfAborted()
      kinds.set(path, path === '' ? 'directory' : await port.kind(path, signal))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return kinds
}
