import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Clock } from '@stickler/core'
import { checkNumbers, languageOf, systemClock } from '@stickler/core/internal'
import { ParserUnavailable, type SyntaxParser, type SyntaxVerdict } from '@stickler/core/validators'
import { isLarger } from '../is-larger.ts'
import { type Catalogues, languagesWith } from '../languages/with-catalogues.ts'
import { verdictOf } from '../verdict-of.ts'
import { ParserPool } from './parser-pool.ts'
import { SnippetFailure } from './parser-process.ts'

/** What is known of one snippet. */
type Known = { readonly verdict: SyntaxVerdict } | { readonly failure: ParserUnavailable; readonly failures: number }

/** Enough for the blocks of the answers that are being judged: streams are judged as they come, and once more as a whole. */
const most = 256

/** Remembers the verdicts on the last snippets by their digest, so that no source code is kept. */
class VerdictMemo {
  readonly #known = new Map<string, Known>()

  keyOf(language: string, source: string): string {
    // In UTF-8, different halves of surrogate pairs would be the same.
    return createHash('sha256').update(`${language}\n`, 'utf16le').update(source, 'utf16le').digest('base64')
  }

  get(key: string): Known | undefined {
    return this.#known.get(key)
  }

  set(key: string, known: Known): void {
    this.#known.delete(key)
    this.#known.set(key, known)
    const oldest = this.#known.size > most ? this.#known.keys().next() : undefined
    if (oldest?.value !== undefined) this.#known.delete(oldest.value)
  }
}

/** What a local parser is made with. */
export interface LocalParserSettings {
  /** Most processes at a time; default: 2, or 1 on a machine with one core. */
  readonly processes?: number
  /** Milliseconds that one snippet may take; default: 2000. Loading its grammar is not counted. */
  readonly timeoutMs?: number
  /** Milliseconds that a process may take to start and load a grammar; default: 30000. */
  readonly loadMs?: number
  /** Most bytes of a snippet in UTF-8; default: 4 MiB. */
  readonly maxBytes?: number
  /** Megabytes of memory for one process; default: 512. */
  readonly memoryMb?: number
  /** Most snippets that wait for a process; default: 1000. */
  readonly queue?: number
  /** How often a snippet that ended its process is parsed again; default: 1. */
  readonly retries?: number
  /** Further languages by name, each the address of a module that exports it as `language`. */
  readonly modules?: Readonly<Record<string, string>>
  /** Catalogues that take the place of a language's own, by its name: the value of a JSON file. */
  readonly catalogues?: Catalogues
  readonly clock?: Clock
}

/** A parser on this machine. */
export interface LocalParser extends SyntaxParser {
  /** Parses source code; a snippet that takes most of the `patienceMs` after which the caller gives up is `too-hard` then. */
  parse(language: string, source: string, signal?: AbortSignal, caller?: string, patienceMs?: number): Promise<SyntaxVerdict>
  /** The names of all languages that it parses. */
  languages(): readonly string[]
  /** Ends all processes. */
  close(): Promise<void>
}

/** Parses in child processes: none is started before the first snippet, and one that hangs or crashes is replaced. */
export function localParser(settings: LocalParserSettings = {}): LocalParser {
  const { clock = systemClock, timeoutMs = 2000, loadMs = 30_000, memoryMb = 512, queue = 1000, retries = 1, modules = {} } = settings
  const { catalogues = {}, processes = Math.min(2, availableParallelism()), maxBytes = 4 * 1024 * 1024 } = settings
  checkNumbers({ processes, timeoutMs, loadMs, maxBytes, memoryMb, queue })
  const known = languagesWith(catalogues)
  const names = new Set([...known.map(({ name }) => name), ...Object.keys(modules)])
  const needText = new Set(known.flatMap(({ name, needsText }) => (needsText ? [name] : [])))
  const pool = new ParserPool({ clock, timeoutMs, loadMs, memoryMb, queue, processes, modules, catalogues })
  const memo = new VerdictMemo()

  async function parse(tag: string, source: string, signal?: AbortSignal, name?: string, patienceMs?: number): Promise<SyntaxVerdict> {
    const language = languageOf(tag)
    if (!names.has(language)) return { verdict: 'unsupported' }
    if (/^[ \t\r\n]*$/.test(source) && !needText.has(language)) return { verdict: 'valid' }
    if (isLarger(source, maxBytes)) throw new ParserUnavailable(`the code is larger than ${maxBytes} bytes`, 'too-large')
    const key = memo.keyOf(language, source)
    const last = memo.get(key)
    if (last !== undefined && 'verdict' in last) return last.verdict
    const failures = last?.failures ?? 0
    if (last !== undefined && failures > retries) throw last.failure
    const onFailure = (error: unknown): void => {
      if (error instanceof SnippetFailure) memo.set(key, { failure: error, failures: failures + 1 })
    }
    const verdict = verdictOf(await pool.run({ language, source }, { name, signal, patienceMs, onFailure }), source)
    memo.set(key, { verdict })
    return verdict
  }

  function load(tag: string, signal?: AbortSignal, name?: string): Promise<void> | undefined {
    const language = languageOf(tag)
    if (!names.has(language) || pool.hasLoaded(language)) return undefined
    return pool.run({ language, source: '' }, { name, signal }).then(() => {})
  }

  return { parse, load, languages: () => [...names].sort(), close: () => pool.close() }
}
