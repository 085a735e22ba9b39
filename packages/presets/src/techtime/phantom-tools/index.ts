import { type Answer, defineValidator, type IssueDraft, issue, type Locale } from '@stickler/core'
import { isFields, type Machine, type Reading } from '@stickler/core/internal'
import {
  type AnswerReader,
  closeMatches,
  field,
  foldName,
  judgedAtEnd,
  knownTools,
  reportAtEnd,
  type ToolDefinition,
  withSchemas,
} from '@stickler/core/internal/validators'
import { quote } from '@stickler/core/validators'
import * as z from 'zod'
import { claimOf } from './claims.ts'
import {
  between,
  closenessTo,
  defaultPrefixes,
  defaultSuffixes,
  describedAs,
  isPhantom,
  type ToolLook,
  weakPrefixes,
} from './is-phantom.ts'
import { findMentions, longestRun, type Mention, snakeCase, withoutEmphasis } from './mentions.ts'
import { SentenceStart } from './sentence-start.ts'

type Found = IssueDraft<'PHANTOM_TOOL'>

/**
 * Holds each sentence until it ends, and for good the first one with an unknown word that may be the name of a tool: the words around it decide.
 * So no retry continues in the middle of a sentence that is taken back.
 */
class PhantomMachine implements Machine {
  safe = 0
  readonly #reading: Reading<'PHANTOM_TOOL'>
  readonly #isKnown: (name: string) => boolean
  readonly #judge: (answer: Answer) => Iterable<Found>
  readonly #sentence = new SentenceStart()
  /** The word at the end of the text, which may go on; what is too long for a name is not kept. */
  #tail = ''
  #tooLong = false
  #isFound = false

  constructor(reading: Reading<'PHANTOM_TOOL'>, isKnown: (name: string) => boolean, judge: (answer: Answer) => Iterable<Found>) {
    this.#reading = reading
    this.#isKnown = isKnown
    this.#judge = judge
  }

  read(piece: string, at: number): void {
    const { answer, outline } = this.#reading
    if (answer) {
      reportAtEnd(this.#reading, this.#judge(answer))
      return
    }
    if (this.#isFound) return
    const text = this.#tail + piece
    const base = at - this.#tail.length
    this.#tail = ''
    this.#read(text, base, outline)
    // In code and reasoning nothing can be found.
    const isProse = this.#isFound || (outline.marginFence === undefined && !outline.inReasoning)
    const clear = isProse ? Math.max(this.#sentence.at, outline.bodyStart) : at + piece.length - this.#tail.length
    this.safe = Math.max(this.safe, clear)
  }

  #read(text: string, base: number, reader: AnswerReader): void {
    const pattern = /\w+/g
    for (let run = pattern.exec(text); run; run = pattern.exec(text)) {
      this.#sentence.push(text.slice(this.#sentence.length - base, pattern.lastIndex))
      const goesOn = run.index === 0 && this.#tooLong
      if (pattern.lastIndex === text.length && !goesOn) this.#keep(run[0])
      else if (!goesOn && this.#mayBePhantom(run[0], base + run.index, reader)) {
        this.#isFound = true
        return
      }
    }
    this.#sentence.push(text.slice(this.#sentence.length - base))
    if (!/\w$/.test(text.slice(-1))) this.#tooLong = false
  }

  #keep(run: string): void {
    if (run.length > longestRun) this.#tooLong = true
    else this.#tail = run
  }

  #mayBePhantom(run: string, at: number, { bodyStart, marginFence }: AnswerReader): boolean {
    const isCode = at > (marginFence?.start ?? Number.POSITIVE_INFINITY)
    const name = withoutEmphasis(run)
    return at >= bodyStart && !isCode && snakeCase.test(name) && !this.#isKnown(name)
  }
}

interface PhantomMessages {
  readonly instruct: string
  phantom(name: string): string
  hint(suggestion: string | undefined): string
}

/** What the messages on phantom tools say, by language. */
const phantomMessages: Readonly<Record<Locale, PhantomMessages>> = {
  en: {
    instruct: 'Name in your text only tools that are offered.',
    phantom: (name) => `Name only tools that are offered; ${quote(name)} does not exist.`,
    hint: (suggestion) =>
      suggestion === undefined ? 'Do not claim to have used a tool that was not called' : `Did you mean ${quote(suggestion)}?`,
  },
  de: {
    instruct: 'Nenne im Text nur Tools, die angeboten werden.',
    phantom: (name) => `Nenne nur Tools, die angeboten werden; ${quote(name)} gibt es nicht.`,
    hint: (suggestion) =>
      suggestion === undefined
        ? 'Behaupte nicht, ein Tool benutzt zu haben, das nicht aufgerufen wurde'
        : `Meintest du ${quote(suggestion)}?`,
  },
}

/** So many names are reported of one answer. */
const mostNames = 20

/** Names of a list are no further apart, the arguments of a call included. */
const longestGap = 80

const affixes = () => z.array(z.string().min(1))

/** Warns when the text names a tool that was not offered. */
export const phantomTools = defineValidator({
  name: 'phantom_tools',
  summary: 'The text names only tools of `context.tools`.',
  get options() {
    return z.strictObject({
      prefixes: affixes()
        .optional()
        .describe(
          `Prefixes of names that are treated as tools. By default ${defaultPrefixes.join(', ')}, and as calls \`name(…)\` also ${weakPrefixes.join(', ')}.`,
        ),
      suffixes: affixes()
        .default([...defaultSuffixes])
        .describe('Suffixes of names that are treated as tools when written as calls `name(…)`.'),
      strict: z.boolean().default(false).describe('A tool that does not exist is an error, not a warning.'),
    })
  },
  codes: {
    PHANTOM_TOOL: {
      severity: 'warning',
      when: 'The text names a tool that was not offered; code fences, quotations, paths and addresses do not count.',
      fix: 'Name only tools that exist; if a word is not a tool, set `prefixes` to those of your tools. With `strict` this is an error.',
    },
  },
  instruct: (_options, locale) => phantomMessages[locale].instruct,
  reads: 'all',
  machine: ({ prefixes, suffixes, strict }) => {
    const look = { prefixes: prefixes ?? defaultPrefixes, weakPrefixes: prefixes ? [] : weakPrefixes, suffixes }
    return (reading) => {
      const tools = withSchemas(knownTools(reading.context) ?? [])
      // Without tools there is nothing that a name could be mistaken for.
      if (tools.length === 0) return judgedAtEnd(reading, () => [])
      const known = knownNames(tools)
      const isKnown = (name: string): boolean => known.has(foldName(name))
      const names = tools.map(({ name }) => name)
      const say = phantomMessages[reading.locale]
      const describe = ({ name, span }: Mention): Found => {
        const [suggestion] = closeMatches(name, names, 1)
        const advice = { hint: say.hint(suggestion), ...(suggestion === undefined ? {} : { suggestion }) }
        return issue('PHANTOM_TOOL', say.phantom(name), { span, ...advice, ...(strict ? { severity: 'error' } : {}) })
      }
      const judge = (answer: Answer): Found[] => findPhantoms(answer, look, names, isKnown).map(describe)
      return strict ? new PhantomMachine(reading, isKnown, judge) : judgedAtEnd(reading, judge)
    }
  },
})

/** The first mentions of names that are treated as tools and not known. */
function findPhantoms(answer: Answer, look: ToolLook, names: readonly string[], isKnown: (name: string) => boolean): Mention[] {
  const isClose = closenessTo(names)
  const phantoms = new Map<string, Mention>()
  /** Where the name before ends, when it is that of something else. */
  let end: number | undefined
  for (const mention of findMentions(answer)) {
    const isNext = end !== undefined && isListed(answer.text, end, mention.span.start)
    const claim = claimOf(mention)
    const described = describedAs(mention, claim) ?? (isNext ? 'other' : undefined)
    end = described === 'other' ? mention.span.end : undefined
    if (phantoms.has(mention.name) || isKnown(mention.name) || described === 'other') continue
    if (described === undefined && !isPhantom(mention, claim, look, isClose)) continue
    phantoms.set(mention.name, mention)
    if (phantoms.size === mostNames) break
  }
  return [...phantoms.values()]
}

/** Whether a name follows another one in a list, such as "`a_b`, `c_d()` and `e_f`". */
function isListed(text: string, end: number, start: number): boolean {
  return start - end <= longestGap && between.test(text.slice(end, start).replace(/^\([^()]*\)/, ''))
}

/** The names of tools and of their arguments, which a text may well explain. */
function knownNames(tools: readonly ToolDefinition[]): ReadonlySet<string> {
  const known = new Set<string>()
  for (const { name, schema } of tools) {
    known.add(foldName(name))
    const properties = field(schema, 'properties')
    if (isFields(properties)) for (const property of Object.keys(properties)) known.add(foldName(property))
  }
  return known
}
