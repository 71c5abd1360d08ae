import { App, applyDocumentTheme, applyHostStyleVariables, type McpUiHostContext } from '@modelcontextprotocol/ext-apps'
import { wordsIn } from '@/lib/core/words'
import { made, type Piece } from './piece'
import { notice, shown, type View } from './view'

/** The frame of a view in a client: speaks with its host, and shows what the tool answered. */
export function start<T>(view: View<T>): void {
  const app = new App({ name: `plumbline-${view.name}`, version: '1' }, {}, { allowUnsafeEval: false })
  let result: Record<string, unknown> | undefined
  const draw = (...pieces: Piece[]) => document.body.replaceChildren(...pieces.map((piece) => made(piece, document)))
  const redraw = () => result && draw(...shown(view, result, wordsIn({ locale: app.getHostContext()?.locale })))

  function dress({ theme, styles, safeAreaInsets }: McpUiHostContext): void {
    if (theme) applyDocumentTheme(theme)
    if (styles?.variables) applyHostStyleVariables(styles.variables)
    for (const [side, pixels] of Object.entries(safeAreaInsets ?? {}))
      document.documentElement.style.setProperty(`--inset-${side}`, `${Number(pixels)}px`)
  }

  app.addEventListener('toolresult', (params) => {
    result = params
    redraw()
  })
  app.addEventListener('toolcancelled', () => draw(notice('The call was cancelled.')))
  app.addEventListener('hostcontextchanged', (context) => {
    dress(context)
    redraw()
  })
  draw(notice('Waiting for the result …'))
  app.connect().then(
    () => dress(app.getHostContext() ?? {}),
    () => draw(notice('This client did not open the view. The result is in the conversation.', 'alert')),
  )
}
