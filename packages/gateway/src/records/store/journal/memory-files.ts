import type { JournalFile, JournalFiles } from './journal-files.ts'

/** Journals in memory, for a store in memory. */
export function memoryFiles(): JournalFiles {
  const files = new Map<string, JournalFile>()
  const locks = new Set<string>()
  const create = (name: string): JournalFile => {
    const file = memoryFile()
    files.set(name, file)
    return file
  }
  return {
    prepare: () => {},
    list: () => [...files.keys(), ...locks],
    create,
    open: (name) => files.get(name) ?? create(name),
    remove: (name) => void files.delete(name),
    refuse: () => false,
    lock(name) {
      if (locks.has(name)) return undefined
      locks.add(name)
      return { release: () => void locks.delete(name) }
    },
  }
}

function memoryFile(): JournalFile {
  let content = new Uint8Array(0)
  let size = 0
  return {
    write(bytes, position) {
      const end = position + bytes.length
      if (end > content.length) {
        const grown = new Uint8Array(Math.max(end, content.length * 2, 4096))
        grown.set(content)
        content = grown
      }
      content.set(bytes, position)
      size = Math.max(size, end)
    },
    read(into, position) {
      const part = content.subarray(position, Math.min(size, position + into.length))
      into.set(part)
      return part.length
    },
    truncate(to) {
      size = to
      if (to === 0) content = new Uint8Array(0)
    },
    size: () => size,
    close: () => {},
  }
}
