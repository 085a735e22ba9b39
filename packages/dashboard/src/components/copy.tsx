import { useState } from 'preact/hooks'
import { useServices } from '../app/services.ts'
import { Icon, type IconName } from './icon.tsx'

const shownMs = 1500

/** A button that copies a text, and says so. */
export function CopyButton({
  text,
  label = 'Copy',
  icon = 'copy',
}: {
  readonly text: string
  readonly label?: string
  readonly icon?: IconName
}) {
  const { window, notice } = useServices()
  const [isDone, setDone] = useState(false)
  const copy = async (): Promise<void> => {
    try {
      await window.navigator.clipboard.writeText(text)
    } catch {
      notice.value = 'The browser does not allow copying here.'
      return
    }
    notice.value = 'Copied.'
    setDone(true)
    window.setTimeout(() => setDone(false), shownMs)
  }
  return (
    <button type="button" class="button icon-button copy" aria-label={label} title={label} onClick={() => void copy()}>
      <Icon name={isDone ? 'check' : icon} />
    </button>
  )
}

/** The beginning and the end of a long id. */
function shortId(id: string, most = 17): string {
  return id.length <= most ? id : `${id.slice(0, most - 7)}…${id.slice(-6)}`
}

/** An id in few characters, with the whole of it to copy. */
export function CopyId({ id, most }: { readonly id: string; readonly most?: number }) {
  const { format } = useServices()
  return (
    <span class="copy-id">
      <code title={format.visible(id)}>
        <bdi>{format.visible(shortId(id, most))}</bdi>
      </code>
      <CopyButton text={id} label="Copy the id" />
    </span>
  )
}
