import { useMemo, useState } from 'preact/hooks'
import type { Run } from '../../api/run-types.ts'
import { useServices } from '../../app/services.ts'
import { Code } from '../../components/code.tsx'
import { Panel } from '../../components/page.tsx'
import { answeringAttempt } from './reproduce.ts'
import { type Dropped, droppedOf, longestHold, type Moment, momentAt, readTimeline } from './timeline.ts'

const width = 1000
const height = 72
const longest = { shown: 20_000, held: 4000 } as const

/** What a reader of the stream saw, what was held back, and when. */
export function TimelinePanel({ run }: { readonly run: Run }) {
  const { format } = useServices()
  const moments = useMemo(() => readTimeline(run.timeline), [run.timeline])
  const endMs = Math.max(run.ms, moments.at(-1)?.ms ?? 0, 1)
  const firstMs = moments.find(({ shown }) => shown > 0)?.ms
  const [at, setAt] = useState(firstMs ?? endMs)
  if (!run.stream || firstMs === undefined) return null
  const all = moments.at(-1)?.shown ?? 0
  const now = momentAt(moments, at)
  const hold = longestHold(moments, endMs)
  const dropped = droppedOf(moments)
  const lost = dropped.reduce((sum, { characters }) => sum + characters, 0)
  const notes = [
    `first text after ${format.duration(firstMs)}`,
    hold === 0 ? 'nothing was held back' : `held back for ${format.duration(hold)} at most`,
    ...(lost === 0 ? [] : [`${format.number(lost)} characters were never shown`]),
  ]
  return (
    <Panel title="What the reader saw" note={notes.join(', ')}>
      <div class="timeline">
        <Curve moments={moments} endMs={endMs} at={at} />
        <label class="timeline-slider">
          <span class="unseen">Moment</span>
          <input
            type="range"
            min={0}
            max={Math.ceil(endMs)}
            step={1}
            value={at}
            aria-valuetext={`${format.duration(at)}: ${now.shown} of ${all} characters, ${now.held} held back`}
            onInput={(event) => setAt(Number(event.currentTarget.value))}
          />
        </label>
        <p>
          <strong>{format.duration(at)}</strong>{' '}
          <span class="quiet">
            the reader had {format.number(now.shown)} of {format.number(all)} characters
            {now.held > 0 && `; ${format.number(now.held)} more had come and were held back`}
            {now.attempt > 1 && ` (attempt ${now.attempt})`}
          </span>
        </p>
        <TextAt run={run} now={now} />
        {dropped.map((one) => (
          <NeverShown key={one.ms} run={run} dropped={one} />
        ))}
      </div>
    </Panel>
  )
}

function Curve({ moments, endMs, at }: { readonly moments: readonly Moment[]; readonly endMs: number; readonly at: number }) {
  const all = Math.max(1, ...moments.map(({ shown, held }) => shown + held))
  const x = (ms: number): number => Math.round((ms / endMs) * width)
  const y = (characters: number): number => Math.round(height - (characters / all) * (height - 4))
  const line = (of: (moment: Moment) => number): string => moments.map((moment) => `H${x(moment.ms)}V${y(of(moment))}`).join('')
  const shown = line((moment) => moment.shown)
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <path class="timeline-held" d={`M0 ${height}${line((moment) => moment.shown + moment.held)}H${width}V${height}Z`} />
      <path class="timeline-area" d={`M0 ${height}${shown}H${width}V${height}Z`} />
      <path class="timeline-line" d={`M0 ${height}${shown}H${width}`} />
      <path class="timeline-now" d={`M${x(at)} 0V${height}`} />
    </svg>
  )
}

/** What the reader had at a moment, and what had come and was held back; the rest of the answer came later. */
function TextAt({ run, now }: { readonly run: Run; readonly now: Moment }) {
  const { format } = useServices()
  const text = run.text ?? ''
  if (text === '' || run.delivered === false) return null
  const isLast = now.attempt === (answeringAttempt(run)?.number ?? 1)
  const coming = isLast ? text : (run.attempts.find(({ number }) => number === now.attempt)?.text ?? '')
  const held = coming.slice(now.shown, now.shown + now.held)
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section class="code-scroll" aria-label="Text at this moment" tabIndex={0}>
        <pre>
          {format.clamp(text.slice(0, now.shown), longest.shown).shown}
          <span class="held" title="Held back">
            {format.clamp(held, longest.held).shown}
          </span>
          <span class="later" title="Later">
            {format.clamp(isLast ? text.slice(now.shown + now.held) : text.slice(now.shown), longest.held).shown}
          </span>
        </pre>
      </section>
    </div>
  )
}

/** Text that came and that the reader never got. */
function NeverShown({ run, dropped: { attempt, characters, after } }: { readonly run: Run; readonly dropped: Dropped }) {
  const { format } = useServices()
  const text = run.attempts.find(({ number }) => number === attempt)?.text?.slice(after, after + characters)
  return (
    <details>
      <summary>
        Never shown: {format.number(characters)} characters of attempt {attempt}
      </summary>
      {text === undefined || text === '' ? (
        <p class="quiet note">The text is not kept: the attempt was stopped before its end, or texts are not kept.</p>
      ) : (
        <Code text={text} label={`Never shown of attempt ${attempt}`} most={longest.held} />
      )}
    </details>
  )
}
