import { Agent, request } from 'node:http'
import type { Shot } from './requests'

export type Answered = { status: number; headers: Record<string, string>; body: string }

const agent = new Agent({ keepAlive: true })

/** Sends a request as it is: `fetch` would put its address in order first. */
export function send(url: string, { method, target, headers, body }: Shot): Promise<Answered> {
  const { host, hostname, port } = new URL(url)
  return new Promise((done, fail) => {
    const sent = request(
      { agent, hostname, port, method, path: target, headers: ['host', host, ...headers.flat()] },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.once('error', fail)
        answer.once('end', () =>
          done({
            status: answer.statusCode ?? 0,
            headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
            body: Buffer.concat(chunks).toString(),
          }),
        )
      },
    )
    sent.once('error', fail)
    sent.end(body)
  })
}

/** The request as a command, to be sent again by hand; a long body is cut. */
export function asCurl({ method, target, headers, body }: Shot): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const named = headers.map(([name, value]) => `-H ${quoted(`${name}: ${name === 'x-api-key' ? '$KEY' : value}`)}`)
  const data = body === undefined ? [] : ['--data-binary', quoted(String(body).slice(0, 300))]
  return ['curl', '-X', method, '--path-as-is', ...named, ...data, `"$URL"${quoted(target.slice(0, 500))}`].join(' ')
}
