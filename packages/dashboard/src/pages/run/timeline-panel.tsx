import { useMemo, useState } from 'preact/hooks'
import type { Run } from '../../api/run-types.ts'
import { useServices } from '../../app/services.ts'
import { Panel } from '../../components/page.tsx'
import { charactersAt, longestWaits, readTimeline } from './timeline.ts'

const width = 1000
const height = 72
const shownHeld = 4000

/** What a reader of the stream saw, and when. */
export function TimelinePanel({ run }: { readonly run: Run }) {
  const { format } = useServices()
  const releases = useMemo(() => readTimeline(run.timeline), [run.timeline])
  const endMs = Math.max(run.ms, releases.at(-1)?.ms ?? 0, 1)
  const [at, setAt] = useState(releases[0]?.ms ?? endMs)
  if (!run.stream || releases.length === 0) return null
  const all = Math.max(releases.at(-1)?.characters ?? 0, 1)
  const x = (ms: number): number => Math.round((ms / endMs) * width)
  const y = (characters: number): number => Math.round(height - (characters / all) * (height - 4))
  const line = releases.map(({ ms, characters }) => `H${x(ms)}V${y(characters)}`).join('')
  const had = charactersAt(releases, at)
  const [wait] = longestWaits(releases, endMs, 1)
  const text = run.text ?? ''
  return (
    <Panel
      title="What the reader saw"
      note={`first text after ${format.duration(releases[0]?.ms ?? 0)}, ${format.number(releases.length)} releases${
        wait === undefined ? '' : `, longest wait ${format.duration(wait.to - wait.from)}`
      }`}
    >
      <div class="timeline">
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
          <path class="timeline-area" d={`M0 ${height}${line}H${width}V${height}Z`} />
          <path class="timeline-line" d={`M0 ${height}${line}H${width}`} />
          <path class="timeline-now" d={`M${x(at)} 0V${height}`} />
        </svg>
        <label class="timeline-slider">
          <span class="unseen">Moment</span>
          <input
            type="range"
            min={0}
            max={Math.ceil(endMs)}
            step={1}
            value={at}
            aria-valuetext={`${format.duration(at)}: ${had} of ${all} characters`}
            onInput={(event) => setAt(Number(event.currentTarget.value))}
          />
        </label>
        <p>
          <strong>{format.duration(at)}</strong>{' '}
          <span class="quiet">
            the reader had {format.number(had)} of {format.number(all)} characters
          </span>
        </p>
        {text !== '' && run.delivered !== false && (
          <div class="code">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
            <section class="code-scroll" aria-label="Text at this moment" tabIndex={0}>
              <pre>
                {format.clamp(text.slice(0, had), 20_000).shown}
                <span class="held">{format.clamp(text.slice(had), shownHeld).shown}</span>
              </pre>
            </section>
          </div>
        )}
      </div>
    </Panel>
  )
}
