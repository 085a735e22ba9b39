import type { ComponentChildren } from 'preact'
import { useServices } from '../app/services.ts'

/** What a link takes. */
interface LinkProps {
  /** An address of this page, made with `pathOf` or `withQuery`. */
  readonly to: string
  readonly children: ComponentChildren
  readonly class?: string
  readonly title?: string
  readonly 'aria-current'?: 'page' | undefined
  readonly 'aria-label'?: string
  onFollow?(): void
}

/** A link within the dashboard: followed without loading the page, and a real link for other tabs. */
export function Link({ to, children, onFollow, ...rest }: LinkProps) {
  const { router } = useServices()
  const follow = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    router.go(to)
    onFollow?.()
  }
  return (
    <a href={router.href(to)} onClick={follow} {...rest}>
      {children}
    </a>
  )
}
