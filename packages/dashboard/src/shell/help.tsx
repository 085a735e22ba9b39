import { useEffect, useRef } from 'preact/hooks'
import { useServices } from '../app/services.ts'
import { Icon } from '../components/icon.tsx'

/** The keys of the page, in a dialog. */
export function Help({ close }: { close(): void }) {
  const { shortcuts } = useServices()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const all = [...shortcuts].flatMap((list) => list())
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="help-title" onClose={close}>
      <header class="dialog-head">
        <h2 id="help-title">Keyboard</h2>
        <button type="button" class="button icon-button quiet-button" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <dl class="keys">
        {all.map(({ keys, says }) => (
          <div key={keys}>
            <dt>{says}</dt>
            <dd>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </dialog>
  )
}
