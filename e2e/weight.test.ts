import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './support/places.ts'
import { walk } from './support/walk.ts'

interface Room {
  /** Most lines that the room may have. The number falls with the room, and rises only with a note. */
  readonly lines: number
  /** What it is to come down to. */
  readonly budget?: number
  /** What users got the last time that the number rose. */
  readonly note?: string
}

/** Lines of source by room; a room is everything below `packages/<package>/src/<folder>`. */
const rooms: Readonly<Record<string, Room>> = {
  core: { lines: 66_939, budget: 54_000, note: 'what the rooms below say' },
  'core/adapters': { lines: 1_571, note: 'metadata of frameworks names the checks without a verdict' },
  'core/answer': { lines: 4_991, note: 'links, HTML and citations are read by the same passages, whole and in streams' },
  'core/apis': {
    lines: 8_726,
    note: 'requests that we compose suit the model that gets them, and are sent again without what a provider refuses; retries show calls in the words of each API',
  },
  'core/contract': {
    lines: 3_122,
    note: 'a validator is one machine for checks, streams and repairs, whose driver is here',
  },
  'core/engine': {
    lines: 7_594,
    budget: 6_800,
    note: 'at the end of a stream what has read it says what is wrong, without a second check',
  },
  'core/fetch': { lines: 1_067, note: 'a contract may be chosen for each request; errors say what a check is missing' },
  'core/json': { lines: 945 },
  'core/relay': { lines: 5_112, note: 'the schema of a request is enforced in every host; fields that a provider refuses are left out' },
  'core/relevance': { lines: 1_187 },
  'core/repairs': { lines: 3_349 },
  'core/runners': { lines: 1_935, note: 'runners repeat 429 and 5xx, and send calls back in the words of the SDK' },
  'core/schema': { lines: 3_635, note: 'lists of names are worded in one way' },
  'core/validators': {
    lines: 22_814,
    budget: 20_000,
    note: 'JSON lines, all calls amid words, the language of short answers, and decision records as people write them',
  },
  gateway: { lines: 27_912, budget: 24_000, note: 'what the rooms below say' },
  'gateway/admin': { lines: 2_539, note: 'the presets are a package of their own, imported by name' },
  'gateway/config': { lines: 1_651, note: 'a route lists contracts, among which a header chooses; patterns of routes are remembered' },
  'gateway/front': { lines: 2_193 },
  'gateway/observe': { lines: 2_018, note: 'repeats without a refused field are traced and logged' },
  'gateway/records': { lines: 6_599, budget: 5_500, note: 'a session shows which steps were inferred' },
  'gateway/requests': { lines: 3_060, note: 'the daily cap of questions is kept as the budgets of keys are' },
  'gateway/routes': { lines: 4_024, note: 'questions are answered by the upstreams, budgets and caches of all routes' },
  'gateway/services': { lines: 1_563, note: 'the presets are a package of their own, imported by name' },
  'gateway/upstreams': { lines: 2_685 },
  cli: {
    lines: 15_007,
    budget: 13_000,
    note: 'hooks of Claude Code answer in a fifth of the time where there is nothing to judge, and in half of it where there is',
  },
  'cli/evaluation': { lines: 4_633, note: 'an evaluation without the parser that its contract needs ends with an error' },
  ask: { lines: 6_088, note: 'the presets are a package of their own, imported by name' },
  parser: { lines: 4_476 },
  presets: { lines: 6_551, note: 'envelope, limits and audit rows of questions are in the preset of RedDB' },
  dashboard: {
    lines: 8_057,
    budget: 7_600,
    note: 'keys count as soon as something is seen, and a key is wrong only when the gateway says so',
  },
  node: {
    lines: 4_142,
    note: 'a file of contracts is read without the schema of a whole configuration; hooks speak the language of the contract',
  },
  'ai-sdk': { lines: 1_104 },
  langchain: { lines: 998, note: 'the schema of a structured answer is enforced, and retries show calls' },
}

/** Lines by which a room may be below its number before the number has to follow. */
const slack = 60

const isSource = (path: string): boolean =>
  /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path) && !/\.test(-d)?\.tsx?$|\/(?:testing|test|fixtures)\//.test(path)

const files = await Promise.all(
  (await walk('packages')).filter(isSource).map(async (path) => {
    const text = await readFile(join(root, path), 'utf8')
    return { path, lines: text.split('\n').length - 1 }
  }),
)

function weight(room: string): number {
  const [name, folder = ''] = room.split('/')
  const within = files.filter(({ path }) => path.startsWith(join('packages', name ?? '', 'src', folder, '/')))
  return within.reduce((sum, { lines }) => sum + lines, 0)
}

describe('no room grows without a reason', () => {
  test.each(Object.entries(rooms))('%s', (room, { lines }) => {
    expect(weight(room), `${room} has grown: remove as much as was added, or raise its number with a note`).toBeLessThanOrEqual(lines)
    expect(weight(room), `${room} has become lighter: lower its number`).toBeGreaterThanOrEqual(lines - slack)
  })

  test('every package has a number', () => {
    const names = new Set(files.map(({ path }) => path.split('/')[1]))
    expect([...names].filter((name = '') => rooms[name] === undefined)).toEqual([])
  })
})
