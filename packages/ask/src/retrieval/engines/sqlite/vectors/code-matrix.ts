import { type DotKernel, plainKernel, simdKernel } from './dot-kernel.ts'
import { quantize } from './quantized.ts'

const page = 65_536
const blockRows = 4096
/** The largest steps of a query whose products with bytes still fit into 32 bits. */
const mostSteps = 32_767

/** The vectors of a collection in bytes, in memory: finds which of them may be among the closest. */
export class CodeMatrix {
  readonly dimensions: number
  readonly #kernel: DotKernel
  readonly #width: number
  /** Where the products of a block are written, and where rows begin. */
  readonly #out: number
  readonly #start: number
  #ids = new Float64Array(1024)
  #scales = new Float64Array(1024)
  #errors = new Float64Array(1024)
  #rows = 0

  constructor(dimensions: number, kernel: DotKernel = simdKernel() ?? plainKernel()) {
    this.dimensions = dimensions
    this.#kernel = kernel
    this.#width = Math.ceil(dimensions / 16) * 16
    this.#out = this.#width * 2
    this.#start = this.#out + blockRows * 4
  }

  get rows(): number {
    return this.#rows
  }

  /** The largest id so far. */
  get lastId(): number {
    return this.#rows === 0 ? 0 : (this.#ids[this.#rows - 1] as number)
  }

  /** Adds a vector whose id is larger than all before. */
  add(id: number, scale: number, error: number, code: Uint8Array): void {
    const at = this.#start + this.#rows * this.#width
    this.#reserve(at + this.#width)
    const bytes = new Uint8Array(this.#kernel.memory.buffer, at, this.#width)
    bytes.fill(0)
    bytes.set(code.subarray(0, this.#width))
    if (this.#rows === this.#ids.length) this.#growLists()
    this.#ids[this.#rows] = id
    this.#scales[this.#rows] = scale
    this.#errors[this.#rows] = error
    this.#rows++
  }

  /** Drops deleted vectors. */
  keep(ids: ReadonlySet<number>): void {
    const bytes = new Uint8Array(this.#kernel.memory.buffer)
    let kept = 0
    for (let row = 0; row < this.#rows; row++) {
      if (!ids.has(this.#ids[row] as number)) continue
      if (kept !== row) {
        for (const list of [this.#ids, this.#scales, this.#errors]) list[kept] = list[row] as number
        const from = this.#start + row * this.#width
        bytes.copyWithin(this.#start + kept * this.#width, from, from + this.#width)
      }
      kept++
    }
    this.#rows = kept
  }

  /**
   * The ids that may be among the `limit` closest by cosine: all of those that are, and few others.
   */
  candidates(vector: Float32Array, limit: number): number[] {
    const steps = Math.min(mostSteps, Math.floor((2 ** 31 - 1) / (127 * this.#width)))
    const query = quantize(vector, steps, new Int16Array(this.#width))
    if (query === undefined || limit <= 0) return []
    const { memory } = this.#kernel
    this.#reserve(this.#start)
    new Int16Array(memory.buffer, 0, this.#width).set(query.code)
    const close = new Float64Array(this.#rows)
    for (let first = 0; first < this.#rows; first += blockRows) {
      const rows = Math.min(blockRows, this.#rows - first)
      const from = this.#start + first * this.#width
      this.#kernel.dot(0, this.#width * 2, from, from + rows * this.#width, this.#out)
      const products = new Int32Array(memory.buffer, this.#out, rows)
      for (let row = 0; row < rows; row++)
        close[first + row] = (products[row] as number) * (this.#scales[first + row] as number) * query.scale
    }
    // The maximum rounding error of row and query.
    const slack = (row: number): number => (this.#errors[row] as number) * (1 + query.error) + query.error
    const least = nthLargest(close, slack, limit)
    const ids: number[] = []
    for (let row = 0; row < this.#rows; row++) if ((close[row] as number) + slack(row) >= least) ids.push(this.#ids[row] as number)
    return ids
  }

  #reserve(bytes: number): void {
    const missing = bytes - this.#kernel.memory.buffer.byteLength
    // A sixteenth more, because growing costs a little each time.
    if (missing > 0) this.#kernel.memory.grow(Math.ceil((missing + bytes / 16) / page))
  }

  #growLists(): void {
    const longer = (list: Float64Array): Float64Array<ArrayBuffer> => {
      const next = new Float64Array(list.length * 2)
      next.set(list)
      return next
    }
    this.#ids = longer(this.#ids)
    this.#scales = longer(this.#scales)
    this.#errors = longer(this.#errors)
  }
}

/** The n-th largest lower bound; minus infinity when there are fewer. */
function nthLargest(values: Float64Array, slack: (row: number) => number, n: number): number {
  // The smallest of the n largest so far comes first: a heap.
  const heap: number[] = []
  for (let row = 0; row < values.length; row++) {
    const value = (values[row] as number) - slack(row)
    if (heap.length < n) {
      heap.push(value)
      rise(heap)
    } else if (value > (heap[0] as number)) {
      heap[0] = value
      sink(heap)
    }
  }
  return heap.length < n ? Number.NEGATIVE_INFINITY : (heap[0] as number)
}

function rise(heap: number[]): void {
  for (let at = heap.length - 1; at > 0; ) {
    const parent = (at - 1) >> 1
    if ((heap[parent] as number) <= (heap[at] as number)) return
    swap(heap, at, parent)
    at = parent
  }
}

function sink(heap: number[]): void {
  for (let at = 0; ; ) {
    const left = 2 * at + 1
    if (left >= heap.length) return
    const child = left + 1 < heap.length && (heap[left + 1] as number) < (heap[left] as number) ? left + 1 : left
    if ((heap[at] as number) <= (heap[child] as number)) return
    swap(heap, at, child)
    at = child
  }
}

function swap(heap: number[], one: number, other: number): void {
  const kept = heap[one] as number
  heap[one] = heap[other] as number
  heap[other] = kept
}
