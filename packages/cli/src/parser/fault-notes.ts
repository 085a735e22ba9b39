import type { Cli } from '../cli.ts'

/** A repeated fault is reported again after this time. */
const quietMs = 10_000

/** Reports faults on stderr, without repeating the same one for every call. */
export function faultNotes({ note, io }: Pick<Cli, 'note' | 'io'>): (message: string) => void {
  let last: { readonly message: string; readonly at: number } | undefined
  return (message) => {
    const at = io.now()
    if (last?.message === message && at - last.at < quietMs) return
    last = { message, at }
    note(message)
  }
}
