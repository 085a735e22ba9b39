import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useServices } from '../app/services.ts'

/** What a page takes. */
interface PageProps {
  readonly title: string
  /** Beside the title, such as an id to copy. */
  readonly beside?: ComponentChildren
  /** On the right of the bar, such as the time range. */
  readonly actions?: ComponentChildren
  /** Below the bar and sticky with it, such as filters. */
  readonly bar?: ComponentChildren
  readonly children: ComponentChildren
  /** Uses all of the height, and scrolls inside. */
  readonly isFull?: boolean
}

/** The frame of a page: a bar that stays, and the content. */
export function Page({ title, beside, actions, bar, children, isFull = false }: PageProps) {
  const { window, format } = useServices()
  useEffect(() => {
    window.document.title = `${format.visible(title)} · Stickler`
  }, [title, window, format])
  return (
    <main class={isFull ? 'page full' : 'page'} id="content" tabIndex={-1}>
      <header class="bar">
        <div class="bar-row">
          <h1>
            <bdi>{format.visible(title)}</bdi>
          </h1>
          {beside}
          <div class="bar-actions">{actions}</div>
        </div>
        {bar}
      </header>
      <div class="page-body">{children}</div>
    </main>
  )
}

/** A titled part of a page. */
export function Panel({ title, note, actions, children, isBroad = false }: PanelProps) {
  return (
    <section class={isBroad ? 'panel broad' : 'panel'} aria-label={title}>
      <header class="panel-head">
        <h2>{title}</h2>
        {note !== undefined && <span class="quiet">{note}</span>}
        {actions !== undefined && <div class="panel-actions">{actions}</div>}
      </header>
      {children}
    </section>
  )
}

/** What a panel takes. */
interface PanelProps {
  readonly title: string
  readonly note?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
  /** Takes all columns of a grid. */
  readonly isBroad?: boolean
}
