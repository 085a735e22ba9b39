import type { TextSpan } from '../../answer/span.ts'
import { matchesFrom } from '../shared/rewritten-text.ts'
import type { Detector } from './detector.ts'
import { escapeLength } from './email.ts'

/** A shorter run is no key. */
const shortestKey = 16
/** A longer run of such characters is no key. */
const longestKey = 8192
/** A longer run is no token: its three parts, and signs of emphasis around them. */
const longestToken = 3 * 4096 + 16

/** Maximum number of emphasis marks before a word. */
const mostMarks = 3

interface KeyShape {
  readonly prefixes: readonly string[]
  readonly rest: RegExp
}

const shape = (prefixes: string, rest: RegExp): KeyShape => ({ prefixes: prefixes.split(' '), rest })

/** How keys look, as their issuers publish it; what follows the prefix ends the run. */
const shapes: readonly KeyShape[] = [
  shape('sk- rk_live_ rk_test_ sk_live_ sk_test_', /^[A-Za-z0-9_-]{16,512}$/),
  shape('AKIA ASIA', /^[A-Z0-9]{16}$/),
  shape('ghp_ gho_ ghu_ ghs_ ghr_', /^[A-Za-z0-9]{36,255}$/),
  shape('github_pat_', /^[A-Za-z0-9_]{22,255}$/),
  shape('glpat- gldt- glrt-', /^[A-Za-z0-9_-]{20,255}$/),
  shape('xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xapp-', /^[A-Za-z0-9-]{10,255}$/),
  shape('AIza', /^[A-Za-z0-9_-]{35}$/),
  shape('GOCSPX-', /^[A-Za-z0-9_-]{28}$/),
  shape('hf_', /^[A-Za-z0-9]{34,64}$/),
  shape('npm_', /^[A-Za-z0-9]{36}$/),
  shape('pypi-', /^[A-Za-z0-9_-]{80,512}$/),
  shape('dop_v1_ doo_v1_', /^[a-f0-9]{64}$/),
  shape('gsk_ xai- r8_', /^[A-Za-z0-9]{36,128}$/),
]

/** What keys begin with, by its first character. */
type Starts = ReadonlyMap<number, readonly string[]>

function startsOf(prefixes: readonly string[]): Starts {
  return new Map(prefixes.map(({ 0: first = '' }) => [first.charCodeAt(0), prefixes.filter((prefix) => prefix.startsWith(first))]))
}

/** What keys and tokens begin with. */
export const keyPrefixes: readonly string[] = shapes.flatMap(({ prefixes }) => prefixes)
export const tokenPrefix = 'eyJ'

const keyStarts = startsOf(keyPrefixes)
const tokenStarts = startsOf([tokenPrefix])

const runs =
  // backtracks: from the start of a run, and only from there, it reads at most 8193 characters
  /(?<![A-Za-z0-9_-])[A-Za-z_][A-Za-z0-9_-]{15,8192}(?![A-Za-z0-9_-])/g

/** Finds API keys and access tokens of known shapes. */
export const keyDetector: Detector = {
  digits: 0,
  *find(text, from) {
    if (text.length - beforeMarks(from) < shortestKey) return
    for (const { 0: run, index } of matchesFrom(runs, text, beforeMarks(from))) {
      const { start, end } = withoutMarks(text, index, index + run.length)
      if (isKey(text.slice(start, end))) yield { start, end }
    }
  },
  open: (text, from) => openRun(text, from, longestKey, keyStarts),
}

/** From where on a run may begin whose key begins at an offset. */
function beforeMarks(from: number): number {
  return Math.max(0, from - mostMarks - 1)
}

/** A run without the rest of an escaped line break before it, and without the signs of emphasis around it. */
function withoutMarks(text: string, runStart: number, runEnd: number): TextSpan {
  let start = runStart + escapeLength(text, runStart)
  let end = runEnd
  for (let signs = 0; signs < mostMarks && text[start] === '_'; signs++) {
    start++
    if (text[end - 1] === '_') end--
  }
  return { start, end }
}

function isKey(run: string): boolean {
  return (
    (exact.test(run) && !placeholder.test(run)) ||
    shapes.some(({ prefixes: own, rest }) =>
      own.some((prefix) => run.startsWith(prefix) && rest.test(run.slice(prefix.length)) && isRandom(run.slice(prefix.length))),
    )
  )
}

/** Keys whose prefix and length no other word has, so that they need not look random. */
const exact =
  /^(?:A[KS]IA[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}|gl(?:pat|dt|rt)-[\w-]{20}|AIza[\w-]{35}|GOCSPX-[\w-]{28}|hf_[A-Za-z0-9]{34}|npm_[A-Za-z0-9]{36}|do[op]_v1_[a-f0-9]{64}|gsk_[A-Za-z0-9]{52}|xai-[A-Za-z0-9]{80}|r8_[A-Za-z0-9]{37}|sk-ant-[a-z0-9]{3,8}-[\w-]{93}AA|sk-or-v1-[a-f0-9]{64})$/

/** What documents write in place of a key: a character again and again, such words, or words with hyphens. */
const placeholder =
  // backtracks: of one run, from the start alone or over 8 characters
  /(.)\1{7}|example|your|xxxx|placeholder|insert|replace|dummy|^[A-Za-z]+(?:[_-][A-Za-z]+){2,}$/i

/** Placeholders such as `your-api-key` and words with numbers, `col-md-6`, have no letters and digits mixed in one part. */
function isRandom(given: string): boolean {
  // backtracks: at most 512 characters
  const rest = given.replace(/(.)\1{7,}/g, '')
  if (rest.length < Math.min(16, given.length)) return false
  const digits = rest.replace(/\D/g, '').length
  if (digits < 2 || rest.replace(/[^A-Za-z]/g, '').length < 2) return false
  // backtracks: at most 512 characters
  return digits >= 8 || /(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z\d]{8}/.test(rest)
}

const tokens =
  // backtracks: from the start of a part it reads the next three, and their ends are certain
  /(?<![A-Za-z0-9_-])[bfnrt]?_{0,3}eyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{4,4096}(?:\.[A-Za-z0-9_-]{0,4096})?(?![A-Za-z0-9_-])/g

/** Finds JSON Web Tokens: two parts that begin as encoded objects do, and a signature, which may be empty or missing. */
export const jwtDetector: Detector = {
  digits: 0,
  *find(text, from) {
    if (!text.includes('eyJ', from)) return
    for (const { 0: run, index } of matchesFrom(tokens, text, beforeMarks(from))) {
      const span = withoutMarks(text, index, index + run.length)
      if (text.startsWith('eyJ', span.start)) yield span
    }
  },
  open: (text, from) => openRun(text, from, longestToken, tokenStarts),
}

/** The first start in the run at the end of the text that may become a key. */
function openRun(text: string, from: number, longest: number, starts: Starts): number {
  const least = Math.max(from, text.length - longest)
  let start = text.length
  let open = text.length
  while (start > least) {
    const code = text.charCodeAt(start - 1)
    if (code !== 46 && !isKeyCharacter(code)) break
    start--
    const prefixes = starts.get(code)
    if (prefixes !== undefined && isEdge(text, start) && prefixes.some((prefix) => mayStart(text, start, prefix))) open = start
  }
  return open
}

/** Whether a key may begin at an offset, as far as the character before it is concerned. */
function isEdge(text: string, start: number): boolean {
  return start === 0 || text[start - 1] === '_' || !isKeyCharacter(text.charCodeAt(start - 1)) || escapeLength(text, start - 1) > 0
}

/** Whether a text continues with a prefix, or ends within it. */
function mayStart(text: string, start: number, prefix: string): boolean {
  return text.length - start < prefix.length ? prefix.startsWith(text.slice(start)) : text.startsWith(prefix, start)
}

function isKeyCharacter(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code === 45
}
