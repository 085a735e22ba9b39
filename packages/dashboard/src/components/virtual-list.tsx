import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useServices } from '../app/services.ts'

/** What a list takes. */
interface VirtualListProps {
  readonly count: number
  readonly rowHeight: number
  /** Where it was when it was last shown. */
  readonly startAt?: number
  /** The row that is kept in view when it changes. */
  readonly chosen?: number | undefined
  readonly label: string
  readonly head: ComponentChildren
  /** After the last row, such as "loading". */
  readonly foot?: ComponentChildren
  row(index: number): ComponentChildren
  onScroll?(top: number): void
  /** Called when fewer rows than a screen are left below. */
  onNearEnd?(): void
}

/** Rows drawn beyond the edges, so that fast scrolling shows no gaps. */
const beyond = 12

/** A list of rows of the same height, of which only those in view exist; hundreds of thousands scroll as quickly as ten. */
export function VirtualList(props: VirtualListProps) {
  const { count, rowHeight, startAt = 0, chosen, label, head, foot, row, onScroll, onNearEnd } = props
  const { window } = useServices()
  const place = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: startAt, height: 800 })

  useLayoutEffect(() => {
    const element = place.current
    if (element === null) return
    element.scrollTop = startAt
    const observer = new window.ResizeObserver(() => setView((before) => ({ ...before, height: element.clientHeight })))
    observer.observe(element)
    return () => observer.disconnect()
    // Only when it is shown anew.
  }, [window])

  const first = Math.max(0, Math.min(count, Math.floor(view.top / rowHeight)) - beyond)
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + beyond)
  const isNearEnd = count > 0 && (count - last) * rowHeight < view.height

  useEffect(() => {
    if (isNearEnd) onNearEnd?.()
  }, [isNearEnd, count, onNearEnd])

  useEffect(() => {
    const element = place.current
    if (element === null || chosen === undefined) return
    const [top, headHeight] = [chosen * rowHeight, rowHeight]
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + rowHeight + headHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + rowHeight + headHeight - element.clientHeight
    }
  }, [chosen, rowHeight])

  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a table element cannot be placed one by one.
    <div
      ref={place}
      class="list"
      role="table"
      aria-label={label}
      aria-rowcount={-1}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
      tabIndex={0}
      onScroll={(event) => {
        const top = event.currentTarget.scrollTop
        setView((before) => (before.top === top ? before : { ...before, top }))
        onScroll?.(top)
      }}
    >
      {head}
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div class="list-rows" role="rowgroup" style={{ height: `${count * rowHeight}px` }}>
        <div class="list-window" role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {Array.from({ length: Math.max(0, last - first) }, (_, offset) => row(first + offset))}
        </div>
      </div>
      {foot}
    </div>
  )
}
