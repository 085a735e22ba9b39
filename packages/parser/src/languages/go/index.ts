import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Language } from '@stickler/core/validators'
import { tooDeep } from '../too-deep.ts'
import { goFaults } from './faults.ts'

/** What the module of gofmt exports. */
interface Formatter {
  readonly memory: { readonly buffer: ArrayBuffer }
  _initialize(): void
  alloc(bytes: number): number
  /** 0: formatted already, 1: formatted, 2: there is a problem. */
  format(): number
  output_ptr(): number
  output_len(): number
  dispose(): void
}

interface Wasm {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: object }
  readonly RuntimeError: new () => Error
}

/**
 * What Go's parser reports: `line:column: message`, undefined when it accepts the text, or that it
 * panicked, as it does after ten problems.
 */
type GoProblem = string | undefined | typeof panicked

/** Go's parser ends itself after ten problems; what it has found is lost. */
const panicked = Symbol('panicked')

/** Loads gofmt; the result parses a text. */
async function loadGofmt(): Promise<(text: string) => GoProblem> {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Wasm }
  const bytes = await readFile(createRequire(import.meta.url).resolve('@wasm-fmt/gofmt/wasm'))
  const module = new WebAssembly.Module(bytes)
  let running: Formatter | undefined

  function start(): Formatter {
    const formatter = new WebAssembly.Instance(module).exports as Formatter
    formatter._initialize()
    return formatter
  }

  return (text) => {
    running ??= start()
    try {
      return problemOf(running, text)
    } catch (error) {
      // Memory that a crash has left is never used again.
      running = undefined
      if (!(error instanceof WebAssembly.RuntimeError)) throw error
      if (error.message === 'unreachable') return panicked
      throw tooDeep()
    }
  }
}

function problemOf(formatter: Formatter, text: string): string | undefined {
  const bytes = new TextEncoder().encode(text)
  const start = formatter.alloc(bytes.length)
  new Uint8Array(formatter.memory.buffer, start, bytes.length).set(bytes)
  const isRejected = formatter.format() === 2
  const problem = isRejected
    ? new TextDecoder().decode(new Uint8Array(formatter.memory.buffer, formatter.output_ptr(), formatter.output_len()))
    : undefined
  formatter.dispose()
  return problem
}

/** Go as `gofmt` parses it: a file, declarations without a package, or the statements of a function. */
export const go: Language = {
  name: 'go',
  parsedBy: "Go's own parser, as in `gofmt`: files, declarations, statements",
  async load() {
    const parse = await loadGofmt()
    // The first text compiles the parser, which is not the cost of a snippet.
    parse('package p')
    return (source) => goFaults(source, (text) => firstProblem(text, parse))
  },
}

/**
 * The first problem that Go's parser reports, even when it panics over the whole text; undefined
 * when it accepts it.
 */
function firstProblem(text: string, parse: (text: string) => GoProblem): string | undefined {
  const problem = parse(text)
  return problem === panicked ? problemOfStart(text, parse) : problem
}

/** Reads as many lines as do not make the parser panic: the first problem is among them. */
function problemOfStart(text: string, parse: (text: string) => GoProblem): string {
  const ends = [...text.matchAll(/\n|$/g)].map(({ index }) => index)
  const upTo = (line: number): GoProblem => parse(text.slice(0, ends[line - 1]))
  let fine = 0
  let tooMany = ends.length
  while (tooMany - fine > 1) {
    const middle = (fine + tooMany) >>> 1
    if (upTo(middle) === panicked) tooMany = middle
    else fine = middle
  }
  const problem = upTo(fine)
  const line = Number(typeof problem === 'string' ? problem.split(':', 1)[0] : fine)
  const earlier = (line + fine) >>> 1
  // A problem that only comes from cutting the text off would move with the cut.
  if (typeof problem !== 'string' || earlier <= line || shown(upTo(earlier)) !== shown(problem)) throw new Error("Go's parser panicked")
  return problem
}

function shown(problem: GoProblem): string {
  return typeof problem === 'string' ? (problem.split(' (and ')[0] ?? '') : ''
}
