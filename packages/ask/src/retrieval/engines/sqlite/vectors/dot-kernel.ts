/** Memory that the kernel and JavaScript share; a new buffer after each growth. */
interface Memory {
  readonly buffer: ArrayBuffer
  /** Adds pages of 64 KB. */
  grow(pages: number): number
}

/** The part of WebAssembly that is used; its types come with those of browsers only. */
interface Assembly {
  validate(bytes: Uint8Array): boolean
  readonly Memory: new (descriptor: { initial: number }) => Memory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> }
}

/** Where the kernel finds what it multiplies: the query in two bytes per number, rows in one, results in four. */
export interface DotKernel {
  readonly memory: Memory
  /** Multiplies the query at `query`…`queryEnd` with each row of `rows`…`rowsEnd`, and writes the products from `out`. Both have a multiple of 16 numbers. */
  dot(query: number, queryEnd: number, rows: number, rowsEnd: number, out: number): void
}

const [query, queryEnd, row, rowsEnd, out, at, bytes, sum] = [0, 1, 2, 3, 4, 5, 6, 7]
const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
const tee = (local: number): number[] => [0x22, local]
const advance = (local: number, by: number): number[] => [...get(local), 0x41, by, 0x6a, ...set(local)]
const load = (offset: number): number[] => [0xfd, 0x00, 0x00, offset]
const lane = (index: number): number[] => [...get(sum), 0xfd, 0x1b, index]
const [extendLow, extendHigh, dot, add, addLanes, loop, end, isLess, again] = [
  [0xfd, 0x87, 0x01],
  [0xfd, 0x88, 0x01],
  [0xfd, 0xba, 0x01],
  [0xfd, 0xae, 0x01],
  [0x6a],
  [0x03, 0x40],
  [0x0b],
  [0x49],
  [0x0d, 0x00],
] as const

/** The one function of the module, in the instructions of WebAssembly with SIMD. */
const body = [
  // Locals beyond the five parameters: one i32, two v128.
  ...[2, 1, 0x7f, 2, 0x7b],
  ...loop,
  ...[0xfd, 0x0c, ...new Array<number>(16).fill(0), ...set(sum)],
  ...[...get(query), ...set(at)],
  ...loop,
  ...[...get(row), ...load(0), ...tee(bytes), ...extendLow, ...get(at), ...load(0), ...dot, ...get(sum), ...add],
  ...[...get(bytes), ...extendHigh, ...get(at), ...load(16), ...dot, ...add, ...set(sum)],
  ...[...advance(row, 16), ...advance(at, 32), ...get(at), ...get(queryEnd), ...isLess, ...again],
  ...end,
  ...[...get(out), ...lane(0), ...lane(1), ...addLanes, ...lane(2), ...addLanes, ...lane(3), ...addLanes, 0x36, 0x02, 0x00],
  ...[...advance(out, 4), ...get(row), ...get(rowsEnd), ...isLess, ...again],
  ...end,
  ...end,
]

const name = (text: string): number[] => [text.length, ...[...text].map((letter) => letter.charCodeAt(0))]
const section = (id: number, content: readonly number[]): number[] => [id, ...size(content.length), ...content]
/** A number below 16,384 in the format of the module. */
const size = (count: number): number[] => (count < 128 ? [count] : [(count & 127) | 128, count >> 7])

const module = new Uint8Array([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...section(1, [1, 0x60, 5, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0]),
  ...section(2, [1, ...name('js'), ...name('memory'), 2, 0, 1]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...name('dot'), 0, 0]),
  ...section(10, [1, ...size(body.length), ...body]),
])

const assembly = (): Assembly => Reflect.get(globalThis, 'WebAssembly') as Assembly

/** Multiplies 16 numbers at a time; undefined on machines without SIMD. */
export function simdKernel(): DotKernel | undefined {
  const { validate, Memory, Module, Instance } = assembly()
  if (!validate(module)) return undefined
  const memory = new Memory({ initial: 1 })
  const { exports } = new Instance(new Module(module), { js: { memory } })
  return { memory, dot: exports.dot as DotKernel['dot'] }
}

/** The same, one number at a time, for machines without SIMD. */
export function plainKernel(): DotKernel {
  const { Memory } = assembly()
  const memory = new Memory({ initial: 1 })
  return {
    memory,
    dot: (from, to, rows, end, target) => {
      const [wide, narrow, products] = [new Int16Array(memory.buffer), new Int8Array(memory.buffer), new Int32Array(memory.buffer)]
      const width = (to - from) / 2
      for (let row = rows, index = target / 4; row < end; row += width, index++) {
        let sum = 0
        for (let place = 0; place < width; place++) sum += (narrow[row + place] as number) * (wide[from / 2 + place] as number)
        products[index] = sum
      }
    },
  }
}
