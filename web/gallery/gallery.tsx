import './gallery.css'
import { ChevronLeft, RefreshCw } from 'lucide-react'
import { type ReactNode, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import * as sentences from '#contract/sentences.ts'
import { RATE_PERCENT, ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import { Screen } from '#web/layout/screen.tsx'
import { moneyWarnings } from '#web/platform/money-warning-texts.ts'
import { playMoneyTexts } from '#web/platform/texts.ts'
import { followSystemTheme } from '#web/platform/theme.ts'
import { AmountText, PriceChange } from '#web/ui/amounts.tsx'
import { Badge, CountBadge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog, Sheet } from '#web/ui/dialog.tsx'
import { NumberInput } from '#web/ui/number-input.tsx'
import { OfflineBar } from '#web/parts/offline-bar.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#web/ui/states.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { PasswordInput, TextInput } from '#web/ui/text-input.tsx'
import { ThemeToggle } from '#web/ui/theme-toggle.tsx'
import { AgeText, Countdown, ProgressBar } from '#web/ui/ticking-text.tsx'
import { toast, ToastHost } from '#web/ui/toast.tsx'

/**
 * Every component of web/ui on one page, for visual checks: open /web/gallery/ under `npm run dev`. It is not part of
 * the build.
 */

const openedAtMs = Date.now()

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card>
      <h2 className="text-base font-semibold" style={{ marginBottom: 12 }}>
        {title}
      </h2>
      <div style={{ display: 'grid', gap: 12 }}>{children}</div>
    </Card>
  )
}

function Row({ children }: { readonly children: ReactNode }) {
  return <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8, alignItems: 'center' }}>{children}</div>
}

function Buttons() {
  return (
    <Section title="Nút">
      <Row>
        <Button>Đăng nhập</Button>
        <Button variant="outline">Thử lại</Button>
        <Button variant="ghost">Quên mật khẩu?</Button>
        <Button variant="danger">Xoá tài khoản</Button>
        <Button disabled>Không bấm được</Button>
        <Button size="sm" variant="outline">
          Duyệt
        </Button>
      </Row>
      <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 10 }}>
        <Button variant="up" size="lg" className="flex-col">
          Mua ▲ <small className="text-xs font-medium">thắng +5.00 · thua −5.00</small>
        </Button>
        <Button variant="down" size="lg">
          Bán ▼
        </Button>
        <Button variant="up" size="lg" disabled>
          Mua ▲
        </Button>
        <Button variant="down" size="lg" isBusy>
          Bán ▼
        </Button>
      </div>
      <Button isWide isBusy>
        Đăng ký
      </Button>
    </Section>
  )
}

function Inputs() {
  const [amount, setAmount] = useState('1234567')
  return (
    <Section title="Ô nhập">
      <TextInput label="Tài khoản" hint="Chữ và số, không dấu, không khoảng trắng" defaultValue="minhanh92" />
      <TextInput label="Mã giới thiệu" error={sentences.REFERRAL_WRONG} defaultValue="KIMPHIE" />
      <PasswordInput label="Mật khẩu" autoComplete="current-password" defaultValue="mat-khau" />
      <NumberInput label="Số điểm" value={amount} onChange={setAmount} unit="điểm" />
      <Select
        label="Ngân hàng thụ hưởng"
        placeholder="Chọn ngân hàng"
        defaultValue=""
        options={[{ value: 'vcb', label: 'Ngân hàng TMCP Ngoại thương Việt Nam (Vietcombank)' }]}
      />
      <TextInput label="Không sửa được" disabled defaultValue="Đã khoá" />
    </Section>
  )
}

function Choices() {
  const [type, setType] = useState<RoundType>('30s')
  const [stake, setStake] = useState('100')
  const [tab, setTab] = useState<'invest' | 'history'>('invest')
  return (
    <Section title="Chọn một">
      <SegmentedControl
        label="Loại phiên"
        value={type}
        onChange={setType}
        options={ROUND_TYPES.map((one) => ({
          value: one,
          label: one,
          detail: `${RATE_PERCENT[one]}%`,
        }))}
      />
      <SegmentedControl
        label="Số điểm"
        value={stake}
        onChange={setStake}
        options={['10', '20', '50', '100', '1,000', '2,000', '5,000', '10,000'].map((one) => ({
          value: one,
          label: one,
          isDisabled: one === '10,000',
        }))}
      />
      <ThemeToggle />
      <Tabs
        label="Phiên"
        value={tab}
        onChange={setTab}
        aside={
          <span className="text-sm text-ink-2">
            Số dư <AmountText amountMinor={123450n} className="text-lg font-semibold text-ink" /> điểm
          </span>
        }
        tabs={[
          { value: 'invest', label: 'Invest', content: <p style={{ paddingTop: 12 }}>Đặt lệnh ở đây.</p> },
          { value: 'history', label: 'History', content: <p style={{ paddingTop: 12 }}>Các lệnh đã đặt.</p> },
        ]}
      />
    </Section>
  )
}

function Clock() {
  const [endsAtMs, setEndsAtMs] = useState(openedAtMs + 18_000)
  const [finishes, setFinishes] = useState(0)
  return (
    <Row>
      <Countdown
        label="Thời gian còn lại"
        endsAtMs={endsAtMs}
        onFinish={() => setFinishes((count) => count + 1)}
        className="text-xl font-semibold"
      />
      <div style={{ flex: 1 }}>
        <ProgressBar startsAtMs={endsAtMs - 30_000} endsAtMs={endsAtMs} />
      </div>
      <Button variant="ghost" onClick={() => setEndsAtMs(Date.now() + 2_000)}>
        Đếm 2 giây
      </Button>
      <output id="finishes">{finishes}</output>
    </Row>
  )
}

function Numbers() {
  return (
    <Section title="Số và đồng hồ">
      <Row>
        <span className="text-xl font-semibold tabular-nums">$4,132.114</span>
        <PriceChange percent={0.1556} />
        <PriceChange percent={-0.63} />
        <PriceChange percent={0.0001} />
        <PriceChange percent={null} />
        <span className="text-xs text-ink-3">
          Pyth · <AgeText atMs={openedAtMs - 400} />
        </span>
      </Row>
      <Clock />
      <Row>
        <AmountText amountMinor={500n} kind="signed" />
        <AmountText amountMinor={-500n} kind="signed" />
        <AmountText amountMinor={100000n} kind="whole" hasUnit />
        <AmountText amountMinor={100_000_000_000_000n} hasUnit />
      </Row>
      <Row>
        <CountBadge count={3} label="3 giao dịch đang chờ" />
        <CountBadge count={128} label="128 giao dịch đang chờ" />
        <Badge tone="warn">Đang duyệt</Badge>
        <Badge tone="up">Đã duyệt</Badge>
        <Badge tone="down">Không duyệt</Badge>
        <Badge tone="info">Giá mô phỏng</Badge>
        <Badge tone="gold">Đã hoàn điểm</Badge>
      </Row>
    </Section>
  )
}

function Banners() {
  return (
    <>
      <Banner tone="info">Thị trường vàng đóng cửa, phiên dùng giá mô phỏng. Mở lại lúc 06:00 ngày 23/11/2026.</Banner>
      <Banner tone="warn">Kết quả phiên này do quản trị viên đặt</Banner>
      <Banner
        tone="danger"
        action={
          <Button size="sm" variant="outline">
            Thử lại
          </Button>
        }
      >
        {sentences.FEED_CLOSED}
      </Banner>
    </>
  )
}

function States() {
  return (
    <Section title="Trạng thái">
      <SkeletonGroup>
        <Skeleton className="h-target w-full" />
      </SkeletonGroup>
      <EmptyState text="Bạn chưa đặt lệnh nào." action={<Button variant="outline">Đặt lệnh đầu tiên</Button>} />
      <ErrorState message="Không kết nối được máy chủ. Vui lòng kiểm tra mạng rồi thử lại." onRetry={() => undefined} />
    </Section>
  )
}

type OpenKind = 'dialog' | 'sheet' | 'confirm'

function Overlays() {
  const [open, setOpen] = useState<OpenKind | null>(null)
  const acts = [
    { label: 'Hộp thoại', run: () => setOpen('dialog') },
    { label: 'Tấm trượt', run: () => setOpen('sheet') },
    { label: 'Xác nhận', run: () => setOpen('confirm') },
    { label: 'Báo xong', run: () => toast.success('Đăng nhập thành công!') },
    { label: 'Báo lỗi', run: () => toast.error(sentences.INTERNAL) },
  ]
  return (
    <>
      <Section title="Hộp thoại và thông báo">
        <Row>
          {acts.map(({ label, run }) => (
            <Button key={label} variant="outline" onClick={run}>
              {label}
            </Button>
          ))}
        </Row>
      </Section>
      <OpenDialog open={open} onClose={() => setOpen(null)} />
    </>
  )
}

function OpenDialog({ open, onClose }: { readonly open: OpenKind | null; readonly onClose: () => void }) {
  const [amount, setAmount] = useState('1234567')
  return (
    <>
      <Dialog
        isOpen={open === 'dialog'}
        onOpenChange={onClose}
        title="Thắng phiên 927,418"
        description="Giá vào $4,130.902 · Giá ra $4,132.114"
        footer={<Button onClick={onClose}>Chơi phiên tiếp theo</Button>}
      >
        <p className="text-xl font-semibold">
          <AmountText amountMinor={500n} kind="signed" />
        </p>
      </Dialog>
      <Sheet
        isOpen={open === 'sheet'}
        onOpenChange={onClose}
        title="Yêu cầu nạp điểm"
        footer={
          <Button isWide onClick={onClose}>
            Gửi yêu cầu
          </Button>
        }
      >
        <Banner tone="warn">{moneyWarnings.depositsAndChat}</Banner>
        <NumberInput label="Số điểm" value={amount} onChange={setAmount} unit="điểm" />
      </Sheet>
      <ConfirmDialog
        isOpen={open === 'confirm'}
        title="Từ chối yêu cầu?"
        description="Rút 2,000.00 điểm của quocbao sẽ bị từ chối và điểm được trả lại ví."
        confirmLabel="Từ chối yêu cầu"
        tone="danger"
        onConfirm={onClose}
        onCancel={onClose}
      />
    </>
  )
}

function Gallery() {
  return (
    <Screen
      title="Vàng · XAU/USD"
      before={
        <IconButton label="Về danh sách">
          <ChevronLeft aria-hidden size={22} />
        </IconButton>
      }
      after={
        <>
          <Badge>Phiên 927,418</Badge>
          <IconButton label="Làm mới">
            <RefreshCw aria-hidden size={20} />
          </IconButton>
        </>
      }
    >
      <Buttons />
      <Inputs />
      <Choices />
      <Numbers />
      <Banners />
      <States />
      <Overlays />
      <p className="text-center text-xs text-ink-3">{playMoneyTexts.everywhere}</p>
    </Screen>
  )
}

followSystemTheme()
const host = document.getElementById('root')
if (host === null) throw new Error('The gallery page has no #root.')
createRoot(host).render(
  <StrictMode>
    <OfflineBar />
    <Gallery />
    <ToastHost />
  </StrictMode>,
)
