import { watch } from 'node:fs'

/** Files that cases and contracts are written in. */
const relevant = /\.(?:ya?ml|json|mjs|js|ts)$/
/** Editors write a file in several steps. */
const settleMs = 100

/** Watches a folder and those below it from now on; resolves to the name of a relevant file that changed. */
export function changeIn(folder: string, signal: AbortSignal): Promise<string> {
  const changed = new Promise<string>((resolve, reject) => {
    const watcher = watch(folder, { recursive: true })
    let timer: NodeJS.Timeout | undefined
    const end = (finish: () => void): void => {
      clearTimeout(timer)
      watcher.close()
      signal.removeEventListener('abort', abort)
      finish()
    }
    const abort = (): void => end(() => reject(signal.reason))
    watcher.on('change', (_event, given) => {
      const name = String(given)
      if (timer !== undefined || !relevant.test(name) || /(?:^|[/\\])node_modules[/\\]/.test(name)) return
      timer = setTimeout(() => end(() => resolve(name)), settleMs)
    })
    watcher.on('error', (error) => end(() => reject(error)))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
  // A rejection may come before anybody waits.
  changed.catch(() => {})
  return changed
}
