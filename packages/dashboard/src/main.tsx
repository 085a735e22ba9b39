import { render } from 'preact'
import { createServices, ServicesContext } from './app/services.ts'
import { App } from './shell/app.tsx'

// A system without a usual locale has a name that Intl rejects, and uPlot would show no chart.
try {
  Intl.getCanonicalLocales(window.navigator.language)
} catch {
  Object.defineProperty(window.navigator, 'language', { value: 'en' })
}

// Built files are in a folder beside the pages, whatever path a proxy has put before both.
const base = new URL('..', import.meta.url).pathname.slice(0, -1)
const place = window.document.getElementById('app')
if (place !== null) {
  place.replaceChildren()
  render(
    <ServicesContext.Provider value={createServices(window, base)}>
      <App />
    </ServicesContext.Provider>,
    place,
  )
}
