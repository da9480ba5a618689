"""The base that agents search in these tests."""

import pytest

RETURNS = """# 退货
第一条 七日内可以退货，运费由商家承担。
第二条 定制商品不予退货。
第三条 退货须附原包装。
"""
REPAIRS = """# 保修
第四条 整机保修一年，见第二条。
第五条 进水不在保修范围。
"""


@pytest.fixture(scope="session")
def shop(open_base):
    """Five articles in two documents."""
    return open_base(a=RETURNS, b=REPAIRS)
