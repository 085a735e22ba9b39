import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useServices } from '../app/services.ts'
import { useShortcuts } from '../app/use-shortcuts.ts'
import { Icon, type IconName } from './icon.tsx'

/** What a menu takes. */
interface MenuProps {
  readonly label: string
  /** What the button does, where its label may be hidden. */
  readonly title?: string
  readonly icon?: IconName
  /** The key that opens it. */
  readonly shortcut?: string
  /** On the left edge of its button instead of the right. */
  readonly isLeft?: boolean
  /** What is in it; `close` closes it. */
  children(close: () => void): ComponentChildren
}

/** A button that opens a panel; Escape and a click elsewhere close it. */
export function Menu({ label, title, icon, shortcut, isLeft = false, children }: MenuProps) {
  const { window } = useServices()
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useShortcuts(shortcut === undefined ? [] : [{ keys: shortcut, says: label, run: () => setOpen(true) }])

  useEffect(() => {
    if (!isOpen) return
    const leave = (event: Event): void => {
      if (!(event.target instanceof Node && place.current?.contains(event.target))) setOpen(false)
    }
    const closeOnEscape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      setOpen(false)
      button.current?.focus()
    }
    const first = place.current?.querySelector<HTMLElement>('.menu input, .menu button')
    first?.focus()
    window.document.addEventListener('pointerdown', leave)
    place.current?.addEventListener('keydown', closeOnEscape)
    const own = place.current
    return () => {
      window.document.removeEventListener('pointerdown', leave)
      own?.removeEventListener('keydown', closeOnEscape)
    }
  }, [isOpen, window])

  return (
    <div class="menu-place" ref={place}>
      <button
        ref={button}
        type="button"
        class="button"
        title={title}
        aria-label={title === undefined ? undefined : `${title}: ${label}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {icon !== undefined && <Icon name={icon} />}
        <span>{label}</span>
        {icon === undefined && <Icon name="down" />}
      </button>
      {isOpen && (
        <div class={isLeft ? 'menu left' : 'menu'}>
          {children(() => {
            setOpen(false)
            button.current?.focus()
          })}
        </div>
      )}
    </div>
  )
}
