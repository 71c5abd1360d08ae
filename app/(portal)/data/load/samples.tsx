import { SOURCE_FILES } from '@/lib/load/sources/registry'

const SAMPLES = [...new Map(SOURCE_FILES.map((each) => [each.sample, each])).values()]

/** Files of each source to download, to see how they are read. */
export function Samples() {
  return (
    <section aria-labelledby="samples" className="mt-8 grid max-w-prose gap-3">
      <h2 id="samples">Sample files</h2>
      <p>One of each export that is recognized. Drop it above to see how it is read, and remove it again.</p>
      <details>
        <summary className="w-fit">{`${SAMPLES.length} samples`}</summary>
        <ul className="mt-2 grid gap-1 sm:grid-cols-2">
          {SAMPLES.map(({ file, sample, source }) => (
            <li key={sample}>
              <a href={`/samples/${sample}`} download>
                {`${source} ${file}`}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
