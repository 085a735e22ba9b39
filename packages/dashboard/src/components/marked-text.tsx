import { useMemo, useState } from 'preact/hooks'
import { type Replay, replay } from '../answer/replay.ts'
import { type Segment, segmentsOf } from '../answer/segments.ts'
import type { Certificate, Issue } from '../api/run-types.ts'
import { useServices } from '../app/services.ts'
import { CopyButton } from './copy.tsx'

/** What is shown of a text that was repaired. */
export type TextView = 'changes' | 'final' | 'original'

/** What a marked text takes. */
interface MarkedTextProps {
  /** What it is, for screen readers. */
  readonly label: string
  readonly texts: Replay
  readonly view: TextView
  /** Issues that remain, whose spans count in the final text. */
  readonly issues: readonly Issue[]
  /** Issues that were fixed, whose spans count in the original. */
  readonly fixed?: readonly Issue[]
  readonly repairs?: readonly Certificate[]
  /** The finding that is chosen in the list beside it. */
  readonly chosen?: string | undefined
  choose?(finding: string): void
}

const shownAtFirst = 60_000

/** The texts of an answer whose repairs are known by their certificates. */
export function useReplay(written: string | undefined, repairs: readonly Certificate[], final: string): Replay {
  return useMemo(() => replay(written, repairs, final), [written, repairs, final])
}

/** An answer with its issues at their places, and repairs as changes; the beginning of a long one. */
export function MarkedText({ label, texts, view, issues, fixed = [], repairs = [], chosen, choose }: MarkedTextProps) {
  const { format } = useServices()
  const [limit, setLimit] = useState(shownAtFirst)
  const segments = useMemo(() => {
    const remaining = { issues: issues.map((issue, id) => ({ ...issue, id })), text: texts.final }
    // Without their places, issues of the original text have none in the final one.
    const known = texts.isExact ? fixed.map((issue, id) => ({ ...issue, id: issues.length + id })) : []
    return segmentsOf(texts.pieces, { issues: known, text: texts.original }, remaining)
  }, [texts, issues, fixed])
  const left = view === 'final' ? 'removed' : view === 'original' ? 'added' : undefined
  const { shown, missing } = firstOf(
    segments.filter(({ kind }) => kind !== left),
    limit,
  )
  const describe = ({ issues: ids, more, certificate }: Segment): string => {
    const found = ids
      .map((id) => issues[id] ?? fixed[id - issues.length])
      .map((issue) => (issue === undefined ? '' : `${issue.code}: ${issue.message}`))
    const repair = certificate === undefined ? undefined : repairs[certificate]
    const changed = repair === undefined ? [] : [`${repair.rule} (${repair.class})`]
    return format.visible([...changed, ...found, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'))
  }
  const draw = (segment: Segment, at: number) => {
    const finding = nameOf(segment, issues.length)
    const text = shownText(segment, repairs, format.visible)
    if (finding === undefined) return text
    const Kind = segment.kind === 'removed' && view === 'changes' ? 'del' : segment.kind === 'added' && view === 'changes' ? 'ins' : 'mark'
    const id = segment.issues[0]
    const severity = id === undefined ? 'repair' : id >= issues.length ? 'fixed' : issues[id]?.severity === 'error' ? 'error' : 'warning'
    return (
      <Kind key={at} class={`${severity} ${finding === chosen ? 'chosen' : ''}`} data-finding={finding} title={describe(segment)}>
        {text}
      </Kind>
    )
  }
  return (
    <div class="code marked">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section class="code-scroll" aria-label={label} tabIndex={0}>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the list of findings does the same with keys. */}
        <pre
          onClick={({ target }) => {
            const finding = target instanceof HTMLElement ? target.dataset.finding : undefined
            if (finding !== undefined) choose?.(finding)
          }}
        >
          {shown.map(draw)}
        </pre>
      </section>
      <CopyButton text={view === 'original' ? texts.original : texts.final} label={`Copy: ${label}`} />
      {missing > 0 && (
        <p class="code-note">
          <span class="quiet">
            The first {format.number(limit)} characters; {format.number(missing)} more.
          </span>
          <button type="button" class="button" onClick={() => setLimit(limit * 10)}>
            Show more
          </button>
        </p>
      )}
    </div>
  )
}

/** The name of the first finding at a place: `issue-3`, `fixed-0` or `repair-1`. */
function nameOf({ certificate, issues: [first] }: Segment, remaining: number): string | undefined {
  if (certificate !== undefined) return `repair-${certificate}`
  if (first === undefined) return undefined
  return first < remaining ? `issue-${first}` : `fixed-${first - remaining}`
}

function shownText({ kind, text, certificate }: Segment, repairs: readonly Certificate[], visible: (text: string) => string): string {
  if (kind === 'removed' && certificate !== undefined && repairs[certificate]?.secret) return '[hidden]'
  return visible(text)
}

/** The first segments, up to a number of characters. */
function firstOf(segments: readonly Segment[], most: number): { readonly shown: readonly Segment[]; readonly missing: number } {
  let left = most
  const shown: Segment[] = []
  let missing = 0
  for (const segment of segments) {
    const { length } = segment.text
    if (length <= left && missing === 0) shown.push(segment)
    else {
      const cut = missing === 0 ? safeCut(segment.text, left) : 0
      if (cut > 0) shown.push({ ...segment, text: segment.text.slice(0, cut) })
      missing += length - cut
    }
    left -= length
  }
  return { shown, missing }
}

function safeCut(text: string, most: number): number {
  const last = text.charCodeAt(most - 1)
  return last >= 0xd800 && last <= 0xdbff ? most - 1 : most
}
