const [api = ''] = process.argv.slice(2)

/** Sends the requests of orval's client, which leaves addresses to whoever uses it: the webhook has a server of its own. */
export async function request<T>(path: string, options: RequestInit): Promise<T> {
  const server = path.startsWith('/api/') ? new URL(api).origin : api
  const response = await fetch(server + path, options)
  return { status: response.status, headers: response.headers, data: await response.json() } as T
}
