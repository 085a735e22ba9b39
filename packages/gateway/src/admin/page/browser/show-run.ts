import type { Certificate, Issue } from '@stickler/core'
import type { AttemptRecord } from '../../../records/run/run-record.ts'
import type { KeptRun } from '../../../records/run/stored-record.ts'
import type { Format } from './create-format.ts'
import type { Grouping } from './create-grouping.ts'
import type { Child, View } from './create-view.ts'
import type { PageElement } from './page-host.ts'

/** Shows the full record of one run. */
export function showRun(view: View, format: Format, grouping: Grouping, run: KeptRun): void {
  const { make, at, name, text, facts, time } = view

  const section = (title: string, kept: number, all: number, ...children: readonly Child[]): readonly PageElement[] => {
    if (kept === 0) return []
    const count = kept < all ? ` (the first ${kept} of ${all})` : ` (${all})`
    return [make('h3', {}, title + count), ...children.filter((child) => typeof child === 'object')]
  }

  const issueList = (issues: readonly Issue[]): PageElement =>
    make(
      'ul',
      { class: 'issues' },
      ...issues.map(({ code, severity, validator, message, hint, span, path, suggestion }) =>
        make(
          'li',
          {},
          make('span', { class: `badge ${severity === 'error' ? 'unresolved' : 'other'}` }, name(severity, 20)),
          ' ',
          make('code', {}, name(code)),
          ` ${name(validator)} `,
          make('span', { class: 'quiet' }, name(format.place(span, path))),
          text(message, 600),
          hint === undefined ? undefined : text(hint, 600),
          suggestion === undefined ? undefined : make('p', {}, 'Probably meant: ', make('code', {}, name(suggestion, 300))),
        ),
      ),
    )

  const certificate = ({ rule, class: kind, span, path, before, after, in: part, calls }: Certificate): PageElement => {
    const place = part === undefined ? format.place(span, path) : `${part.part} of tool call ${part.call + 1}, ${format.place(span, path)}`
    const isEmpty = before === '' && after === '' && calls === undefined
    return make(
      'li',
      {},
      make('code', {}, name(rule)),
      ` ${name(kind, 20)} `,
      make('span', { class: 'quiet' }, name(place)),
      isEmpty
        ? make('p', { class: 'quiet' }, 'The removed and inserted text is not stored.')
        : make(
            'div',
            { class: 'change' },
            make('del', { 'aria-label': 'before' }, text(before === '' ? '(nothing)' : before, 600)),
            make('span', { class: 'arrow' }, '→'),
            make('ins', { 'aria-label': 'after' }, text(after === '' ? '(nothing)' : after, 600)),
          ),
      calls === undefined || calls.length === 0 ? undefined : make('p', {}, `Converted into ${calls.length} tool calls.`),
    )
  }

  const attempt = (one: AttemptRecord): PageElement =>
    make(
      'article',
      {},
      make('h4', {}, `Attempt ${one.number}`),
      facts([
        ['Took', format.duration(one.ms)],
        ['Call', name(one.call)],
        ['Finish', name(one.finishReason ?? '')],
        ['Stopped at', one.stoppedAt === undefined ? undefined : `character ${one.stoppedAt}`],
        ['Decision', name(one.failure === undefined ? (one.decision ?? '') : `${one.decision}: ${one.failure}`)],
        ['Claude session', name(one.resumption ?? '')],
        ['Tokens', one.usage === undefined ? undefined : format.usage(one.usage)],
      ]),
      one.issues.length === 0 ? make('p', { class: 'quiet' }, 'Nothing found.') : issueList(one.issues),
      one.stderr === undefined ? undefined : make('details', {}, make('summary', {}, 'Error stream'), text(one.stderr)),
      one.text === undefined ? undefined : make('details', {}, make('summary', {}, 'Text'), text(one.text)),
      one.feedback === undefined ? undefined : make('details', {}, make('summary', {}, 'Feedback to the model'), text(one.feedback)),
    )

  const node = (one: NonNullable<KeptRun['pipeline']>[number]): PageElement => {
    const { type, query, chunks, relevance, verdict, degraded } = one
    const judged = relevance && `${relevance.relevant ? 'relevant' : 'insufficient'}, ${name(relevance.strategy, 20)}`
    return make(
      'li',
      {},
      make('code', {}, name(one.node)),
      ` ${format.duration(one.ms)}`,
      facts([
        ['Type', type && `${name(type.is)}, by ${name(type.by)}`],
        ['Searched for', query && name(query, 300)],
        ['Context', judged && (relevance.score === undefined ? judged : `${judged}, score ${relevance.score.toFixed(3)}`)],
        ['Fell back', name(relevance?.fallback ?? '', 300)],
        ['Asked', one.attempts === undefined ? undefined : `${one.attempts} times`],
        ['Verdict', name(verdict ?? '')],
        ['Degraded', name(degraded ?? '', 300)],
        ['Passages', chunks && String(chunks.length)],
      ]),
      chunks === undefined || chunks.length === 0
        ? undefined
        : make('ol', {}, ...chunks.map(({ urn, score }) => make('li', {}, make('code', {}, name(urn, 300)), ` ${score.toFixed(4)}`))),
    )
  }

  const { attempts, issues, fixed, repairs, unchecked, counts, failure, pipeline = [] } = run
  // A stream may have shown the start of an answer that it then gave up; unknown for runs recorded
  // before `delivered` existed.
  const textTitle = run.fallback
    ? 'Delivered text: the fallback of the contract'
    : run.delivered
      ? 'Delivered text'
      : run.httpStatus >= 400
        ? 'Rejected text, not delivered'
        : 'Text of the last attempt'
  const upstream = run.upstream === '' ? '' : `${name(run.upstream)} (${name(run.upstreamModel)})`
  at('run').replaceChildren(
    make('p', {}, make('span', { class: `badge ${grouping.kindOf(run.status)}` }, name(run.status, 20)), ` ${name(run.reason, 300)}`),
    facts([
      ['Began', time(run.at, format.day(run.at))],
      ['Took', format.duration(run.ms)],
      ['First text', run.firstTextMs === undefined ? undefined : format.duration(run.firstTextMs)],
      ['Contract', name(run.contract)],
      ['Model', name(run.model)],
      ['Upstream', upstream],
      ['API', `${name(run.api)}${run.stream ? ', streamed' : ''}, HTTP ${run.httpStatus}`],
      ['Tokens', format.usage(run.usage)],
      ['Session', name(run.session ?? '', 300)],
      ['Fallback', run.fallback ? 'delivered in place of an answer' : undefined],
      ['Skipped', name(run.skipped ?? '', 300)],
      ...Object.entries(run.facts ?? {}).map(([fact, value]) => [name(fact), name(value)] as const),
      ['Key', name(run.key)],
      ['Run', name(run.id, 300)],
      ['Request', name(run.requestId, 300)],
      [
        'Failure',
        failure && `${name(failure.kind)}${failure.status === undefined ? '' : ` ${failure.status}`}: ${name(failure.message, 600)}`,
      ],
    ]),
    ...section('Remaining issues', issues.length, counts.issues, issueList(issues)),
    ...section('Repairs', repairs.length, counts.repairs, make('ol', { class: 'repairs' }, ...repairs.map(certificate))),
    ...section('Fixed issues', fixed.length, counts.fixed, make('details', {}, make('summary', {}, 'Show'), issueList(fixed))),
    ...section(
      'Could not be checked',
      unchecked.length,
      unchecked.length,
      make(
        'ul',
        {},
        ...unchecked.map(({ validator, cause, circuit, message }) =>
          make('li', {}, `${name(validator)}, ${name(cause)}${circuit ? `, circuit ${name(circuit)}` : ''}`, text(message, 600)),
        ),
      ),
    ),
    ...section('Pipeline', pipeline.length, pipeline.length, make('ol', { class: 'nodes' }, ...pipeline.map(node))),
    ...section('Attempts', attempts.length, counts.attempts, make('div', {}, ...attempts.map(attempt))),
    make('h3', {}, textTitle),
    run.text === undefined ? make('p', { class: 'quiet' }, 'Not stored: there was none, or store.keepText is off.') : text(run.text),
  )
}
