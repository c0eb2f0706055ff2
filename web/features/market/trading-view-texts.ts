export const tradingViewTexts = {
  title: 'Biểu đồ của TradingView',
  about:
    'Biểu đồ này do TradingView cung cấp. Khi mở, trình duyệt của bạn kết nối tới TradingView và họ thấy địa chỉ mạng của bạn. Giá của họ không quyết định phiên nào.',
  open: 'Mở biểu đồ',
  back: 'Về biểu đồ của phiên',
  waiting: 'Đang chờ TradingView',
  failed: 'TradingView không mở được trong 5 giây.',
} as const
