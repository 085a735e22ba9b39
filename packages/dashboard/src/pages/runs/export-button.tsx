import { useState } from 'preact/hooks'
import { readFilters } from '../../app/filters.ts'
import { momentsOf, readPeriod } from '../../app/period.ts'
import { useServices } from '../../app/services.ts'
import { Icon } from '../../components/icon.tsx'

/** Saves what is shown as JSON Lines, which `stickler check --jsonl` reads. */
export function ExportButton() {
  const { client, router, window, now, notice } = useServices()
  const [isBusy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    const { query } = router.place.peek()
    const parameters = readFilters(query)
    const { since, until } = momentsOf(readPeriod(query), now.peek())
    parameters.set('since', String(since))
    parameters.set('until', String(until))
    setBusy(true)
    try {
      const blob = await (await client.ask(`runs.jsonl?${parameters}`)).blob()
      download(window, blob, `runs-${new Date(until).toISOString().slice(0, 16).replace(':', '')}.jsonl`)
      notice.value = 'The runs were exported.'
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

function download(window: Window & typeof globalThis, blob: Blob, name: string): void {
  const address = window.URL.createObjectURL(blob)
  const link = window.document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  window.setTimeout(() => window.URL.revokeObjectURL(address), 10_000)
}
