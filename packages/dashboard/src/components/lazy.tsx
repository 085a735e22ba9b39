import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useServices } from '../app/services.ts'
import { Page } from './page.tsx'
import { Failure, Skeleton } from './state.tsx'

/** A component whose code is loaded when it is first shown; until then a frame shows how that goes. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Frame: ComponentType<{ readonly children: ComponentChildren }> = PageFrame,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const { window } = useServices()
    const [error, setError] = useState<unknown>()
    const [, setLoaded] = useState(loaded !== undefined)
    useEffect(() => {
      if (loaded !== undefined) return
      load().then((component) => {
        loaded = component
        setLoaded(true)
      }, setError)
    }, [])
    const Component = loaded
    if (Component !== undefined) return <Component {...props} />
    return (
      <Frame>
        {error === undefined ? (
          <Skeleton rows={8} />
        ) : (
          // After an update of the gateway the files of the old page are gone.
          <Failure error={error} what="The page" retry={() => window.location.reload()} />
        )}
      </Frame>
    )
  }
}

function PageFrame({ children }: { readonly children: ComponentChildren }) {
  return <Page title="Stickler">{children}</Page>
}
