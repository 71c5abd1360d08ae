import type { Language } from '@/app/ui/highlight'
import { KEY_VARIABLE } from '@/lib/portal/curl'

type Sample = { id: string; name: string; language: Language; code: string }

/** The same request in three languages; each reads the key from the environment and runs as it stands. */
export function samplesFor(base: string): Sample[] {
  const url = `${base}/invoices?status=overdue&limit=5`
  return [
    { id: 'curl', name: 'curl', language: 'shell', code: `curl "${url}" \\\n  -H "x-api-key: $${KEY_VARIABLE}"` },
    {
      id: 'typescript',
      name: 'TypeScript',
      language: 'typescript',
      code: `const response = await fetch('${url}', {
  headers: { 'x-api-key': process.env.${KEY_VARIABLE} ?? '' },
})
if (!response.ok) throw new Error(await response.text())
const { items, nextPageToken } = await response.json()
console.log(items.length, nextPageToken)`,
    },
    {
      id: 'python',
      name: 'Python',
      language: 'python',
      code: `import json, os, urllib.request

request = urllib.request.Request(
    "${url}",
    headers={"x-api-key": os.environ["${KEY_VARIABLE}"]},
)
with urllib.request.urlopen(request) as response:
    page = json.load(response)
print(len(page["items"]), page["nextPageToken"])`,
    },
  ]
}
