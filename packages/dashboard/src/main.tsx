import { render } from 'preact'
import { App } from './app/app.tsx'
import { createServices, ServicesContext } from './app/services.ts'

const place = window.document.getElementById('app')
if (place !== null) {
  place.replaceChildren()
  render(
    <ServicesContext.Provider value={createServices(window)}>
      <App />
    </ServicesContext.Provider>,
    place,
  )
}
