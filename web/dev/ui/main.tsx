// The development page: every part of web/src/ui in both themes. It is not in the build. Start it with npm run dev:ui.
import '../../src/style/tokens.css'
import '../../src/style/base.css'
import { createRoot } from 'react-dom/client'
import { Toasts } from '../../src/ui/messages/toasts.tsx'
import { Tooltips } from '../../src/ui/tooltip.tsx'
import { Gallery } from './gallery.tsx'
import styles from './page.module.css'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root element')
createRoot(root).render(
  <main className={styles.page}>
    <h1>Design system</h1>
    <div className={styles.themes}>
      {(['light', 'dark'] as const).map((theme) => (
        <section key={theme} aria-label={theme} className={`${styles.theme} ${styles[theme]}`}>
          <Gallery />
        </section>
      ))}
    </div>
    <Toasts />
    <Tooltips />
  </main>,
)
