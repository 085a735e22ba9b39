import * as z from 'zod'
import type { Answer } from '../../answer/answer.ts'
import type { TextSpan } from '../../answer/span.ts'
import { issue } from '../../contract/issue.ts'
import { defineValidator } from '../../contract/validator.ts'
import { judgeTarget, type LinkRules, plainHost, type WrongTarget } from './judge-target.ts'
import { linkMessages } from './messages.ts'
import { BeforeLinks } from './stream.ts'
import { findTargets } from './targets.ts'

/** So many issues say enough of one answer. */
const mostIssues = 50

const hosts = () =>
  z.array(z.string().refine((host) => plainHost(host) !== undefined, 'must be a host, such as acme.com or *.acme.com')).max(1000)

/** Fails when the answer links to schemes or hosts that are not allowed. */
export const links = defineValidator({
  name: 'links',
  summary: 'Links lead only to allowed schemes and hosts.',
  get options() {
    return z.strictObject({
      hosts: hosts()
        .min(1)
        .optional()
        .describe('Hosts that links may lead to; `*.acme.com` stands for all hosts below it. Any host when absent.'),
      denied: hosts().default([]).describe('Hosts that links may not lead to, even where `hosts` allows them.'),
      schemes: z
        .array(z.string().regex(/^[a-z][a-z0-9+.-]{0,31}$/, 'must be the name of a scheme in lower case, such as https'))
        .min(1)
        .default(['http', 'https', 'mailto', 'tel'])
        .describe('Schemes that links may have.'),
      relative: z.boolean().default(true).describe('Whether links without a host, such as `/docs`, are allowed; `#part` always is.'),
    })
  },
  codes: {
    LINK_NOT_ALLOWED: {
      severity: 'error',
      when: 'A link, an image, a definition, an HTML attribute or a bare address leads to a scheme or host that is not allowed; code does not count.',
      fix: 'Leave the link out; where lossy repairs are allowed, `#` takes the place of its address.',
    },
  },
  instruct: (options, locale) => linkMessages[locale].instruct(rulesOf(options)),
  prepare: (options) => {
    const rules = rulesOf(options)
    return {
      *check(answer, { locale }) {
        for (const { span, wrong } of wrongTargets(answer, rules).slice(0, mostIssues))
          yield issue('LINK_NOT_ALLOWED', linkMessages[locale].wrong(wrong), { hint: linkMessages[locale].hint, span })
      },
      incremental: () => new BeforeLinks(),
      *repair(answer) {
        for (const { span } of wrongTargets(answer, rules))
          yield { rule: 'remove-target', class: 'lossy', span, before: answer.text.slice(span.start, span.end), after: '#' }
      },
    }
  },
})

interface LinkOptions {
  readonly hosts?: readonly string[] | undefined
  readonly denied: readonly string[]
  readonly schemes: readonly string[]
  readonly relative: boolean
}

function rulesOf({ hosts: allowed, denied, schemes, relative }: LinkOptions): LinkRules {
  const plain = (list: readonly string[]): string[] => list.map((host) => plainHost(host) ?? host)
  return { hosts: allowed && plain(allowed), denied: plain(denied), schemes, relative }
}

/** The wrong ones in text order; those that overlap are one. */
function wrongTargets(answer: Answer, rules: LinkRules): { span: TextSpan; readonly wrong: WrongTarget }[] {
  const all = findTargets(answer.text).flatMap(({ span, ...target }) => {
    const wrong = judgeTarget(target, rules)
    return wrong === undefined || answer.inCode(span.start) ? [] : [{ span, wrong }]
  })
  all.sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end)
  const found: { span: TextSpan; readonly wrong: WrongTarget }[] = []
  for (const { span, wrong } of all) {
    const last = found.at(-1)
    if (last === undefined || span.start >= last.span.end) found.push({ span, wrong })
    else if (span.end > last.span.end) last.span = { start: last.span.start, end: span.end }
  }
  return found
}
