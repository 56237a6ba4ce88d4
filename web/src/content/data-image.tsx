// An image in a `data:` URI. All other addresses are shown as text, so that reading a row requests nothing.
import { useState } from 'react'
import { formatBytes } from '../format/numbers.ts'
import styles from './content.module.css'
import { readDataImage } from './shape.ts'

/** Formats without scripts and external references, so not SVG. */
const RASTER_TYPE = /^image\/(?:png|jpe?g|gif|webp|avif|bmp)$/

/** Characters of an address that are shown. */
const MAX_ADDRESS_LENGTH = 500

/** Not a link: nothing says what is at the address. */
export function Address({ address }: { address: string }) {
  const isLong = address.length > MAX_ADDRESS_LENGTH
  return <bdi className={styles.image}>{isLong ? `${address.slice(0, MAX_ADDRESS_LENGTH)}…` : address}</bdi>
}

export function DataImage({ address }: { address: string }) {
  const [isBroken, setIsBroken] = useState(false)
  const image = readDataImage(address)
  if (!image) return <Address address={address} />
  const label = `${image.mediaType}, ${formatBytes(image.size)}`
  if (!RASTER_TYPE.test(image.mediaType)) return <p className={styles.image}>{label}, not displayed</p>
  if (isBroken) return <p className={styles.image}>{label}, cannot be displayed</p>
  return (
    <figure className={styles.figure}>
      <img src={address} alt={label} onError={() => setIsBroken(true)} />
      <figcaption className={styles.image}>{label}</figcaption>
    </figure>
  )
}
