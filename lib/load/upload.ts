import { rm } from 'node:fs/promises'
import { UPLOAD } from '@/lib/core/uploads'
import { receiveFile, type Uploaded } from './receive'
import { acquireLoadTurn } from './turn'

const RECEIVING = { maxBytes: UPLOAD.maxBytes, advice: 'Split it, or load it with `plumbline load`.' }

/**
 * Streams an uploaded file of a contractor to disk without holding it in memory. Until `release` is called, no process accepts another
 * upload for this contractor; `release` also removes the file.
 * @param file the file name that the loader expects
 * @throws ServiceError `conflict` while another load runs, `payload_too_large` beyond the cap
 */
export async function receiveUpload(
  contractorId: string,
  file: string,
  body: AsyncIterable<Uint8Array>,
): Promise<Uploaded & { release: () => Promise<void> }> {
  const giveBack = await acquireLoadTurn(contractorId)
  try {
    const uploaded = await receiveFile(file, body, RECEIVING)
    const release = async () => {
      await giveBack()
      await rm(uploaded.folder, { recursive: true, force: true })
    }
    return { ...uploaded, release }
  } catch (error) {
    await giveBack()
    throw error
  }
}
