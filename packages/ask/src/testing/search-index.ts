import { Refusal } from './search-refusal.ts'

/** A stored entry. */
export type Source = Readonly<Record<string, unknown>>

type Clause = Readonly<Record<string, Record<string, never>>>
interface Kept {
  readonly source: Source
  readonly seq: number
}
interface Request {
  readonly size?: number
  readonly query?: Clause
  readonly knn?: { readonly field: string; readonly query_vector: number[]; readonly k: number; readonly num_candidates: number }
  readonly sort?: Record<string, 'asc' | 'desc'>[]
  readonly search_after?: unknown[]
  readonly aggs?: Record<string, { readonly sum: { readonly field: string } }>
}
interface Found {
  readonly id: string
  readonly source: Source
  readonly score: number
}

/** An index that shows what is written after a refresh to searches, and at once to those who ask by id. */
export class SearchIndex {
  readonly #fields: Record<string, { readonly type: string; readonly dims?: number; readonly dimension?: number }>
  readonly #product: string
  readonly #kept = new Map<string, Kept>()
  #visible: ReadonlyMap<string, Kept> = new Map()
  #seq = 0

  constructor(fields: object, product: string) {
    this.#fields = { ...fields }
    this.#product = product
  }

  addFields(fields: Record<string, { readonly type: string }>): void {
    const type = this.#product === 'elasticsearch' ? 'dense_vector' : 'knn_vector'
    for (const [name, field] of Object.entries(fields)) {
      if (field.type !== type) throw new Refusal(400, 'mapper_parsing_exception', `No handler for type [${field.type}]`)
      this.#fields[name] = field
    }
  }

  refresh(): void {
    this.#visible = new Map(this.#kept)
  }

  get(id: string): object {
    const kept = this.#kept.get(id)
    return kept === undefined
      ? { _id: id, found: false }
      : { _id: id, found: true, _seq_no: kept.seq, _primary_term: 1, _source: kept.source }
  }

  write(action: string, id: string, source: Source | undefined, ifSeq: number | undefined): object {
    const kept = this.#kept.get(id)
    const isStale = ifSeq !== undefined && kept?.seq !== ifSeq
    if (isStale || (action === 'create' && kept !== undefined))
      throw new Refusal(409, 'version_conflict_engine_exception', 'version conflict')
    if (source === undefined) this.#kept.delete(id)
    else this.#kept.set(id, { source: this.#checked(source), seq: ++this.#seq })
    return {}
  }

  deleteByQuery(query: Clause, refresh: boolean): number {
    const gone = [...this.#visible].filter(([, { source }]) => this.#matches(source, query))
    for (const [id] of gone) this.#kept.delete(id)
    if (refresh) this.refresh()
    return gone.length
  }

  search({ size = 10, query, knn, sort = [], search_after, aggs = {} }: Request): object {
    const nearest = knn ?? (query?.knn === undefined ? undefined : opensearchKnn(query.knn))
    const all = [...this.#visible].map(([id, { source }]) => ({ id, source }))
    const found: Found[] =
      nearest === undefined
        ? all
            .filter(({ source }) => query === undefined || this.#matches(source, query))
            .map((hit) => ({ ...hit, score: this.#rank(hit.source, query) }))
        : this.#nearest(all, nearest)
    const keys = sort.flatMap((one) => Object.entries(one))
    const values = (hit: Found): unknown[] => keys.map(([name]) => (name === '_score' ? hit.score : hit.source[name]))
    found.sort((one, other) =>
      compare(
        values(one),
        values(other),
        keys.map(([, way]) => way),
      ),
    )
    const after =
      search_after === undefined
        ? found
        : found.filter(
            (hit) =>
              compare(
                values(hit),
                search_after,
                keys.map(([, way]) => way),
              ) > 0,
          )
    const sums = Object.entries(aggs).map(([name, { sum }]) => [
      name,
      { value: found.reduce((total, { source }) => total + Number(source[sum.field] ?? 0), 0) },
    ])
    const hits = after.slice(0, size).map((hit) => ({ _id: hit.id, _score: hit.score, _source: hit.source, sort: values(hit) }))
    return { hits: { total: { value: found.length, relation: 'eq' }, hits }, aggregations: Object.fromEntries(sums) }
  }

  #checked(source: Source): Source {
    for (const [name, value] of Object.entries(source)) {
      const { type, dims, dimension } = this.#fields[name] ?? { type: 'absent' }
      if (!Array.isArray(value)) continue
      if (type === 'absent' || value.length !== (dims ?? dimension))
        throw new Refusal(400, 'document_parsing_exception', 'different number of dimensions')
      if (value.every((number) => number === 0)) throw new Refusal(400, 'document_parsing_exception', 'zero magnitude vector')
    }
    return source
  }

  #matches(source: Source, clause: Clause): boolean {
    const [[kind = '', given] = []] = Object.entries(clause)
    const [[field = '', wanted] = []] = Object.entries(given ?? {}) as [string, unknown][]
    const value = String(source[field] ?? '')
    switch (kind) {
      case 'bool':
        return this.#bool(source, given as unknown as Record<string, Clause[]>)
      case 'term':
        return field === 'terms' ? value.split(' ').includes(String(wanted)) : value === wanted
      case 'terms':
        return (wanted as string[]).includes(value)
      case 'prefix':
        return value.startsWith(String(wanted))
      case 'exists':
        return source[String(wanted)] !== undefined
      case 'range':
        return Number(source[field]) < (wanted as { lt: number }).lt
      default:
        throw new Refusal(400, 'parsing_exception', `unknown query [${kind}]`)
    }
  }

  #bool(source: Source, { filter = [], should = [], must_not = [], ...rest }: Record<string, Clause[]>): boolean {
    if (Object.keys(rest).some((name) => name !== 'minimum_should_match'))
      throw new Refusal(400, 'parsing_exception', 'unknown part of bool')
    return (
      filter.every((clause) => this.#matches(source, clause)) &&
      (should.length === 0 || should.some((clause) => this.#matches(source, clause))) &&
      !must_not.some((clause) => this.#matches(source, clause))
    )
  }

  /** BM25 as Lucene has it. */
  #rank(source: Source, query: Clause | undefined): number {
    const should = (query?.bool as unknown as { should?: { term?: { terms?: string } }[] })?.should ?? []
    const terms = should.flatMap(({ term }) => (term?.terms === undefined ? [] : [term.terms]))
    const lists = [...this.#visible.values()].map((kept) => String(kept.source.terms ?? '').split(' '))
    const average = lists.reduce((sum, list) => sum + list.length, 0) / lists.length
    const own = String(source.terms ?? '').split(' ')
    return terms.reduce((sum, term) => {
      const holders = lists.filter((list) => list.includes(term)).length
      const count = own.filter((one) => one === term).length
      const weight = Math.log(1 + (lists.length - holders + 0.5) / (holders + 0.5))
      return sum + Math.fround((weight * count) / (count + 1.2 * (0.25 + (0.75 * own.length) / average)))
    }, 0)
  }

  #nearest(all: readonly Omit<Found, 'score'>[], { field, query_vector, k, num_candidates }: NonNullable<Request['knn']>): Found[] {
    const { dims, dimension } = this.#fields[field] ?? {}
    if (query_vector.length !== (dims ?? dimension))
      throw new Refusal(400, 'illegal_argument_exception', 'the query vector has a different dimension')
    if (num_candidates < k || num_candidates > 10_000) throw new Refusal(400, 'illegal_argument_exception', 'num_candidates')
    const found = all.flatMap((hit) => {
      const vector = hit.source[field] as number[] | undefined
      return vector === undefined ? [] : [{ ...hit, score: Math.fround((1 + cosine(vector, query_vector)) / 2) }]
    })
    return found.sort((one, other) => other.score - one.score).slice(0, k)
  }
}

function opensearchKnn(knn: Record<string, never>): NonNullable<Request['knn']> {
  const [[field = '', near] = []] = Object.entries(knn) as [string, { vector: number[]; k: number }][]
  return { field, query_vector: near?.vector ?? [], k: near?.k ?? 0, num_candidates: near?.k ?? 0 }
}

function compare(one: readonly unknown[], other: readonly unknown[], ways: readonly string[]): number {
  for (const [at, way] of ways.entries()) {
    const [a, b] = [one[at], other[at]]
    const order = typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
    if (order !== 0) return way === 'desc' ? -order : order
  }
  return 0
}

function cosine(one: readonly number[], other: readonly number[]): number {
  const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other))
}
