import { useState } from 'preact/hooks'
import { momentsOf, type Period, periodParameters, ranges, readPeriod } from '../app/period.ts'
import { useServices } from '../app/services.ts'
import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'

/** Chooses the period of the page; it is in the address. */
export function RangePicker() {
  const { router, format } = useServices()
  const period = readPeriod(router.place.value.query)
  const choose = (next: Period): void => router.change(periodParameters(next))
  const isChosen = (name: string): boolean => 'range' in period && period.range.name === name
  const label = 'range' in period ? period.range.title : `${format.minute(period.since)} – ${format.minute(period.until)}`
  return (
    <div class={'range' in period ? 'range-picker relative' : 'range-picker'}>
      <fieldset class="segments wide" aria-label="Period">
        {ranges.map((range) => (
          <button
            key={range.name}
            type="button"
            class="segment"
            aria-pressed={isChosen(range.name)}
            title={range.title}
            onClick={() => choose({ range })}
          >
            {range.name}
          </button>
        ))}
      </fieldset>
      <Menu label={label} title="Choose a period">
        {(close) => <Custom period={period} choose={choose} close={close} />}
      </Menu>
      {!('range' in period) && (
        <button
          type="button"
          class="button icon-button"
          aria-label="Back to the last 24 hours"
          title="Back to the last 24 hours"
          onClick={() => router.change({ since: '', until: '', range: '' })}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  )
}

interface CustomProps {
  readonly period: Period
  choose(period: Period): void
  close(): void
}

function Custom({ period, choose, close }: CustomProps) {
  const { now } = useServices()
  const shown = momentsOf(period, now.peek())
  const [since, setSince] = useState(localTime(shown.since))
  const [until, setUntil] = useState(localTime(shown.until))
  const next = { since: Date.parse(since), until: Date.parse(until) }
  const isValid = next.until > next.since
  return (
    <form
      class="custom-range"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isValid) return
        choose(next)
        close()
      }}
    >
      <ul>
        {ranges.map((range) => (
          <li key={range.name}>
            <button
              type="button"
              class="menu-entry"
              onClick={() => {
                choose({ range })
                close()
              }}
            >
              {range.title}
            </button>
          </li>
        ))}
      </ul>
      <label>
        From
        <input class="field" type="datetime-local" value={since} onInput={(event) => setSince(event.currentTarget.value)} />
      </label>
      <label>
        Until
        <input class="field" type="datetime-local" value={until} onInput={(event) => setUntil(event.currentTarget.value)} />
      </label>
      <button type="submit" class="button primary" disabled={!isValid}>
        Apply
      </button>
    </form>
  )
}

/** A moment as a field of the browser takes it: local time without a zone. */
function localTime(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
