import { setTimeout as wait } from 'node:timers/promises'
import { contract } from '@stickler/core'
import { systemClock } from '@stickler/core/internal'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import type { ParserView } from '../../services/parsing/circuit-changes.ts'
import { startFront, type TestFront } from '../../testing/http-front.ts'
import { MemoryQueries, runRecord } from '../../testing/memory-queries.ts'
import { contractsRoute, parserRoute } from '../api/api-routes.ts'
import { LiveFeed } from '../api/live-feed.ts'
import { liveRoute } from '../api/live-route.ts'
import { runsRoutes } from '../api/runs-routes.ts'
import type { PageHost } from './browser/page-host.ts'
import { startPage } from './browser/start-page.ts'
import { pageHtml } from './page-html.ts'

const parser: { view: ParserView | undefined } = { view: undefined }

/** As much of an element as the script uses; turning text into markup is not possible. */
class StubElement {
  hidden = false
  open = false
  value = ''
  className = ''
  children: (StubElement | string)[] = []
  parent: StubElement | undefined
  readonly listeners = new Map<string, (event: object) => void>()
  readonly tag: string

  constructor(tag: string) {
    this.tag = tag
  }
  get textContent(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.textContent)).join('')
  }
  set textContent(text: string) {
    this.children = [text]
  }
  get elements(): StubElement[] {
    return this.children.filter((child) => typeof child !== 'string')
  }
  get firstElementChild(): StubElement | null {
    return this.elements[0] ?? null
  }
  get nextElementSibling(): StubElement | null {
    const siblings = this.parent?.elements ?? []
    return siblings[siblings.indexOf(this) + 1] ?? null
  }
  append(...children: (StubElement | string)[]): void {
    for (const child of children) this.#put(child, this.children.length)
  }
  replaceChildren(...children: (StubElement | string)[]): void {
    this.children = []
    this.append(...children)
  }
  insertBefore(child: StubElement, place: StubElement | null): void {
    child.remove()
    this.#put(child, place === null ? this.children.length : this.children.indexOf(place))
  }
  remove(): void {
    if (this.parent) this.parent.children = this.parent.children.filter((child) => child !== this)
  }
  setAttribute(): void {}
  focus(): void {}
  addEventListener(type: string, listener: (event: object) => void): void {
    this.listeners.set(type, listener)
  }
  fire(type: string): void {
    this.listeners.get(type)?.({ preventDefault: () => undefined })
  }
  showModal(): void {
    this.open = true
  }
  close(): void {
    this.open = false
    this.fire('close')
  }
  #put(child: StubElement | string, place: number): void {
    if (typeof child !== 'string') child.parent = this
    this.children.splice(place, 0, child)
  }
}

let front: TestFront
let stub: { close(): void }
afterEach(async () => {
  stub.close()
  await front.close()
})

/** Runs the script of the page with a host that has nothing else than what it asks of browsers. */
async function openPage(operatorKeys: string, keys = '') {
  const queries = new MemoryQueries()
  const feed = new LiveFeed({ queries, clock: systemClock, log: pino({ level: 'silent' }), pollMs: 5 })
  const contracts = new Map([['brief', contract({ checks: [{ max_words: { limit: 5 } }] })]])
  const routes = [
    ...runsRoutes({ queries, apis: [], now: () => 1_700_000_000_000 }),
    liveRoute({ apis: [], queries, feed }),
    contractsRoute(() => contracts),
    parserRoute(() => parser.view),
  ]
  front = await startFront(routes, { keys, operatorKeys })
  const ends = new AbortController()
  const known = new Map([...pageHtml.matchAll(/<(\w+) id="([\w-]+)"/g)].map(([, tag, id]) => [id, new StubElement(tag ?? '')]))
  const at = (id: string): StubElement => known.get(id) ?? new StubElement('none')
  const made: string[] = []
  const createElement = (tag: string) => {
    made.push(tag)
    return new StubElement(tag)
  }
  const kept = new Map<string, string>()
  let follow = () => {}
  const location = {
    now: '',
    get hash() {
      return this.now
    },
    set hash(hash: string) {
      this.now = hash
      queueMicrotask(follow)
    },
  }
  const host = {
    document: {
      visibilityState: 'visible',
      getElementById: (id: string) => known.get(id) ?? null,
      createElement,
      createElementNS: (_: string, tag: string) => createElement(tag),
      addEventListener: () => undefined,
    },
    location,
    sessionStorage: {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => kept.set(name, value),
      removeItem: (name: string) => kept.delete(name),
    },
    fetch: (path: string, options: RequestInit) =>
      fetch(`http://127.0.0.1:${front.port}/${path}`, {
        ...options,
        signal: options.signal ? AbortSignal.any([options.signal, ends.signal]) : ends.signal,
      }),
    setTimeout: (work: () => void, ms: number) => setTimeout(() => ends.signal.aborted || work(), ms).unref(),
    clearTimeout,
    addEventListener: (_: string, listener: () => void) => {
      follow = listener
    },
  }
  stub = { close: () => ends.abort() }
  startPage(host as unknown as PageHost)
  return { queries, at, kept, made, location }
}

const shows = (look: () => unknown, wanted: unknown) => expect.poll(look, { timeout: 5000 }).toEqual(wanted)

it('shows a client what is theirs, without the contracts', async () => {
  const { queries, at } = await openPage('ops:secret-key-0', 'alice:secret-key-1')
  queries.runs.push(runRecord('run-1', { model: 'one' }))
  await shows(() => at('key-form').hidden, false)
  at('key').value = 'secret-key-1'
  at('key-form').fire('submit')
  await shows(() => at('status').textContent, 'Live.')
  expect([at('contracts-part').hidden, at('contracts').textContent]).toEqual([true, ''])
  expect(queries.asked).toContainEqual(expect.objectContaining({ owner: 'alice' }))
})

it('asks for a key, keeps it, shows runs and grows', async () => {
  const { queries, at, kept } = await openPage('alice:secret-key-1')
  queries.runs.push(runRecord('run-1', { model: '<b>one</b>' }))
  at('content').hidden = true
  at('key-form').hidden = true
  await shows(() => at('key-form').hidden, false)
  expect([at('content').hidden, at('status').textContent]).toEqual([true, 'The gateway requires a key.'])
  for (const [key, words] of [
    ['ключ', 'This is not a valid key.'],
    ['  ', 'This is not a valid key.'],
    ['wrong-key-1', 'The gateway does not know this key.'],
  ] as const) {
    at('key').value = key
    at('key-form').fire('submit')
    await shows(() => at('status').textContent, words)
    expect(at('key').value).toBe('')
  }
  at('key').value = ' secret-key-1 '
  at('key-form').fire('submit')
  await shows(() => at('status').textContent, 'Live.')
  expect([kept.get('stickler.key'), at('content').hidden, at('key-form').hidden]).toEqual(['secret-key-1', false, true])
  expect(at('runs').textContent).toContain('<b>one</b>')
  expect(at('contracts').textContent).toContain('max_words')
  const first = at('runs').firstElementChild
  queries.runs.push(runRecord('run-2', { at: 1_700_000_001_000, status: 'failed' }))
  await shows(() => at('runs').elements.length, 2)
  expect(at('runs').elements[1]).toBe(first)
  at('forget-key').fire('click')
  expect([kept.size, at('runs').elements, at('contracts').textContent]).toEqual([0, [], ''])
  await shows(() => at('key-form').hidden, false)
})

it('shows one run with all its parts, and only with elements that load and run nothing', async () => {
  const { queries, at, made, location } = await openPage('')
  const issue = {
    code: 'MAX_WORDS',
    severity: 'error',
    validator: 'max_words',
    message: 'Cut it.',
    hint: 'Be brief.',
    suggestion: 'so',
  } as const
  const repair = { rule: 'cut', class: 'lossy', span: { start: 0, end: 4 }, before: '<i>x', after: '' } as const
  const attempt = {
    number: 1,
    call: 'run',
    ms: 5,
    issues: [issue],
    stoppedAt: 7,
    text: 'tried',
    feedback: 'told',
    decision: 'retry',
  } as const
  queries.runs.push(
    runRecord('run-1 ?é', {
      ...{ issues: [issue], fixed: [issue], repairs: [repair, { ...repair, before: '', in: { call: 0, part: 'name' } }] },
      ...{
        // What is delivered is what the record says, not what its attempts look like.
        attempts: [attempt, { ...attempt, number: 2, decision: 'failed', failure: 'timeout' }],
        unchecked: [{ validator: 'slow', cause: 'timeout', message: 'too late' }],
        text: 'x'.repeat(4000),
      },
      ...{ session: 's-1', facts: { step: 'done' }, firstTextMs: 3, failure: { kind: 'rate-limit', message: 'busy', status: 429 } },
    }),
    runRecord('run-2'),
    runRecord('run-3', {
      status: 'unresolved',
      delivered: false,
      httpStatus: 422,
      text: 'bad words',
      attempts: [{ ...attempt, decision: 'deliver' }],
    }),
  )
  await shows(() => at('runs').elements.length, 3)
  location.hash = '#run=run-3'
  await shows(() => at('run').textContent.includes('Rejected text, not deliveredbad words'), true)
  expect(at('run').textContent).not.toContain('Delivered text')
  location.hash = `#run=${encodeURIComponent('run-1 ?é')}`
  await shows(() => at('run').textContent.includes('Delivered text'), true)
  expect(at('run').textContent).toContain('failed: timeout')
  for (const words of [
    'Remaining issues (1)',
    'Repairs (2)',
    '<i>x→(nothing)',
    'name of tool call 1',
    'not stored',
    'Attempt 1',
    'character 7',
  ]) {
    expect(at('run').textContent).toContain(words)
  }
  for (const words of ['slow, timeouttoo late', 'rate-limit 429: busy', 'Show 2,500 more characters', 'tried', 'told', 's-1']) {
    expect(at('run').textContent).toContain(words)
  }
  expect(at('run-title').textContent).toBe('Run')
  location.hash = '#session=s-1'
  await shows(() => at('run').textContent.includes('Statusactive'), true)
  expect(at('run-title').textContent).toBe('Session')
  expect(at('run').textContent).toMatch(/Sessions-1.*Runs1Stepsdone .*First requestNot stored.*Newest runsvalid/)
  location.hash = '#run=run-2'
  await shows(() => at('run').textContent.includes('store.keepText is off'), true)
  expect(at('run-dialog').open).toBe(true)
  at('close-run').fire('click')
  await shows(() => [at('run-dialog').open, location.hash], [false, ''])
  location.hash = '#run=gone'
  await shows(() => at('run').textContent, 'There is no run with this id.')
  location.hash = '#run=%E0%A4%A'
  await shows(() => at('run-dialog').open, false)
  const known = new Set(['a', 'img', 'script', 'iframe', 'object', 'embed', 'link', 'style', 'form', 'base', 'meta', 'image', 'use'])
  expect(made.filter((tag) => known.has(tag))).toEqual([])
})

it('shows the parser and its circuit, live, where a contract needs one', async () => {
  const { at } = await openPage('')
  await shows(() => at('status').textContent, 'Live.')
  expect(at('parser-part').hidden).toBe(true)
  const changes = [{ at: 1_700_000_000_000, state: 'open' }] as const
  parser.view = { kind: 'service', url: 'grpc://parser:1', state: 'open', changes }
  const again = await openPage('')
  await shows(() => again.at('parser').textContent, 'opengrpc://parser:1')
  expect([again.at('parser-part').hidden, again.at('parser-changes').textContent]).toEqual([false, expect.stringContaining('circuit open')])
  parser.view = { kind: 'service', url: 'grpc://parser:1', state: 'closed', changes: [] }
  await expect.poll(() => again.at('parser').textContent, { timeout: 15_000 }).toBe('closedgrpc://parser:1')
  parser.view = undefined
})

it('comes back when the gateway was away', async () => {
  const { queries, at } = await openPage('')
  queries.failure = new Error('no store')
  await wait(50)
  queries.failure = undefined
  queries.runs.push(runRecord('run-1'))
  await expect.poll(() => at('runs').elements.length, { timeout: 15_000 }).toBe(1)
})
