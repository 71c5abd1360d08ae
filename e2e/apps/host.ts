// A host of MCP Apps, as small as the package lets one be: it runs in the page of a test, and shows a view in a sandboxed frame.
import { AppBridge, type McpUiHostContext, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'

type Result = Parameters<AppBridge['sendToolResult']>[0]

let bridge: AppBridge | undefined

/** Opens a view's document in a frame, and waits until the view has said that it is there. */
async function open(html: string, context: McpUiHostContext, width: number): Promise<void> {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.title = 'View'
  frame.style.cssText = `width:${width}px;height:600px;border:0`
  document.body.replaceChildren(frame)
  const { contentWindow } = frame
  if (!contentWindow) throw new Error('a frame in a page has a window')
  const opened = new AppBridge(null, { name: 'test host', version: '1' }, {}, { hostContext: context })
  const ready = new Promise<void>((done) => {
    opened.oninitialized = () => done()
  })
  opened.onsizechange = ({ height }) => {
    if (height !== undefined) frame.style.height = `${height}px`
  }
  await opened.connect(new PostMessageTransport(contentWindow, contentWindow))
  frame.srcdoc = html
  await ready
  bridge = opened
}

Object.assign(window, {
  host: {
    open,
    result: async (args: Record<string, unknown>, result: Result) => {
      await bridge?.sendToolInput({ arguments: args })
      await bridge?.sendToolResult(result)
    },
    cancel: () => bridge?.sendToolCancelled({ reason: 'by the test' }),
    dress: (context: McpUiHostContext) => bridge?.setHostContext(context),
  },
})
