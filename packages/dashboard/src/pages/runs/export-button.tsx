import { useState } from 'preact/hooks'
import { readFilters } from '../../app/filters.ts'
import { momentsOf, readPeriod } from '../../app/period.ts'
import { useServices } from '../../app/services.ts'
import { Icon } from '../../components/icon.tsx'

/** The most that the gateway exports at once. */
const mostRows = 50_000

/** Saves what is shown as JSON Lines, which `stickler check --jsonl` reads. */
export function ExportButton() {
  const { client, router, window, now, notice, format } = useServices()
  const [isBusy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    const { query } = router.place.peek()
    const parameters = readFilters(query)
    const { since, until } = momentsOf(readPeriod(query), now.peek())
    parameters.set('since', String(since))
    parameters.set('until', String(until))
    parameters.set('limit', String(mostRows))
    setBusy(true)
    try {
      const blob = await (await client.ask(`runs.jsonl?${parameters}`)).blob()
      download(window, blob, `runs-${new Date(until).toISOString().slice(0, 16).replace(':', '')}.jsonl`)
      notice.value = exportedNotice(await countLines(blob), format.whole)
    } catch (error) {
      notice.value = `The export failed: ${error instanceof Error ? error.message : error}`
    } finally {
      setBusy(false)
    }
  }
  return (
    <button type="button" class="button" disabled={isBusy} title="Save these runs as JSON Lines" onClick={() => void save()}>
      <Icon name="download" />
      <span class="wide">{isBusy ? 'Exporting…' : 'Export'}</span>
    </button>
  )
}

/** Says how many runs were exported, and whether there may be more. */
export function exportedNotice(count: number, write: (count: number) => string): string {
  if (count >= mostRows) return `Only the newest ${write(count)} runs were exported. Choose a shorter period for the others.`
  return count === 1 ? '1 run was exported.' : `${write(count)} runs were exported.`
}

/** Counts lines without a copy of a large file as text. */
export async function countLines(blob: Blob): Promise<number> {
  let lines = 0
  const reader = blob.stream().getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return lines
    for (let at = value.indexOf(10); at !== -1; at = value.indexOf(10, at + 1)) lines++
  }
}

function download(window: Window & typeof globalThis, blob: Blob, name: string): void {
  const address = window.URL.createObjectURL(blob)
  const link = window.document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  window.setTimeout(() => window.URL.revokeObjectURL(address), 10_000)
}
