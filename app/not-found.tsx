import { Mark } from './mark'

export default function NotFound() {
  return (
    <div className="page">
      <header>
        <Mark />
      </header>
      <main className="lead">
        <div>
          <h1>There is no page here</h1>
          <p>
            The address may be mistyped, or the page may have moved. <a href="/">Begin at the start page</a>.
          </p>
        </div>
      </main>
    </div>
  )
}
